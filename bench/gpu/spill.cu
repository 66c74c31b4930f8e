/* Would states in the memory of the host pay? What a table there, and a row there, give against those on the device.
 *
 *   nvcc -O3 -arch=sm_90 spill.cu -o spill && ./spill
 *
 * table: threads insert random keys into a table of 2^30 words, by compare-and-swap, and then look all of them up again; it is
 *        in device memory (filled to the half, or with as few keys as the other), or in host memory that the device sees.
 * row:   words are written, and read, one after the other, by a kernel; and copied there and back by the driver.
 * All of it three times. Of new keys all must be new, and of known ones none. */
#include <cstdio>
typedef unsigned long long u;

__device__ u mix(u h) {
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ull;
    h ^= h >> 29;
    h *= 0x9fb21c651e98df25ull;
    return h ^ h >> 32;
}

#define I blockIdx.x * (u)blockDim.x + threadIdx.x
#define S (u) gridDim.x *blockDim.x
#define L <<<2112, 256>>>

__global__ void ins(u *t, u m, u n, u *c) {
    u f = 0;
    for (u i = I; i < n; i += S) {
        u k = mix(i + 1) | 1, a = mix(k) & m;
        for (;; a = (a + 1) & m) {
            u w = *(volatile u *)(t + a);
            if (!w) {
                w = atomicCAS(t + a, 0ull, k);
                if (!w) {
                    f++;
                    break;
                }
            }
            if (w == k) break;
        }
    }
    atomicAdd(c, f);
}

__global__ void fil(u *r, u n) {
    for (u i = I; i < n; i += S) r[i] = i * 3;
}

__global__ void sum(u *r, u n, u *c) {
    u f = 0;
    for (u i = I; i < n; i += S) f += r[i];
    atomicAdd(c, f);
}

cudaEvent_t a, b;

template <class F> double T(F f) {
    float m;
    cudaEventRecord(a);
    f();
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    cudaEventElapsedTime(&m, a, b);
    return m / 1e3;
}

int main() {
    u w = 1ull << 30, *d, *h, *s, *c, f;
    int q;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaMalloc(&d, w * 8);
    cudaMalloc(&c, 8);
    cudaHostAlloc(&h, w * 8, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&s, h, 0);
    cudaDeviceGetAttribute(&q, cudaDevAttrHostNativeAtomicSupported, 0);
    printf("native %d\n", q);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) {
            u *t = k == 1 ? s : d, n = k ? 1 << 24 : w / 2;
            cudaMemset(t, 0, w * 8);
            for (int g = 0; g < 2; g++) {
                cudaMemset(c, 0, 8);
                double x = T([&] { ins L(t, w - 1, n, c); });
                cudaMemcpy(&f, c, 8, cudaMemcpyDeviceToHost);
                printf("%s %llu keys: %.1f M/s, new %llu\n", k == 1 ? "host" : "device", n, n / x / 1e6, f);
            }
        }
    for (int r = 0; r < 3; r++) {
        u n = w / 2;
        for (u *t : {d, s})
            printf("row write %.1f", n * 8 / T([&] { fil L(t, n); }) / 1e9),
                printf(" read %.1f GB/s\n", n * 8 / T([&] { sum L(t, n, c); }) / 1e9);
        printf("copy out %.1f in %.1f\n", n * 8 / T([&] { cudaMemcpyAsync(h, d, n * 8, cudaMemcpyDeviceToHost); }) / 1e9,
               n * 8 / T([&] { cudaMemcpyAsync(d, h, n * 8, cudaMemcpyHostToDevice); }) / 1e9);
    }
    puts(cudaGetErrorString(cudaGetLastError()));
}
