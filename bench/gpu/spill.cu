/* Would states in the memory of the host pay? What a table there, and a row there, give against those on the device.
 *
 *   nvcc -O3 -arch=sm_90 spill.cu -o spill && ./spill [GiB]
 *
 * table: threads insert random keys into a table of open addressing, one word each, by compare-and-swap, up to half of its
 *        slots, and then look all of them up again; it is in device memory, or in host memory that the device sees.
 * row:   words are written, and read, one after the other, by a kernel; and copied there and back by the driver.
 * Each line is the best of three. A key is inserted once, and the counts must be right. */
#include <cstdio>
#include <cstdlib>
typedef unsigned long long u64;

#define DO(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \
    printf("%s: %s\n", #call, cudaGetErrorString(e)); exit(1); } } while (0)

__device__ u64 mix(u64 h) {
    h ^= h >> 32; h *= 0xd6e8feb86659fd93ull; h ^= h >> 29; h *= 0x9fb21c651e98df25ull; return h ^ (h >> 32);
}

/* Keys lo..hi, mixed; mask is the slots less one. */
__global__ void insert(u64 *slots, u64 mask, u64 lo, u64 hi, u64 *fresh) {
    u64 mine = 0;
    for (u64 i = lo + blockIdx.x * (u64)blockDim.x + threadIdx.x; i < hi; i += (u64)gridDim.x * blockDim.x) {
        u64 key = mix(i + 1) | 1, at = mix(key) & mask;
        for (;; at = (at + 1) & mask) {
            u64 now = *(volatile u64 *)(slots + at);
            if (now == 0) { now = atomicCAS(slots + at, 0ull, key); if (now == 0) { mine++; break; } }
            if (now == key) break;
        }
    }
    atomicAdd(fresh, mine);
}

__global__ void fill(u64 *row, u64 n) {
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x) row[i] = i * 3;
}

__global__ void sum(const u64 *row, u64 n, u64 *out) {
    u64 mine = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x) mine += row[i];
    atomicAdd(out, mine);
}

static cudaEvent_t a, b;
static void start() { DO(cudaEventRecord(a)); }
static double stop() {
    float ms; DO(cudaEventRecord(b)); DO(cudaEventSynchronize(b)); DO(cudaGetLastError());
    DO(cudaEventElapsedTime(&ms, a, b)); return ms / 1e3;
}

static void table(const char *where, u64 *slots, u64 words, u64 keys, u64 *count) {
    double best[2] = {1e9, 1e9};
    for (int run = 0; run < 3; run++) {
        u64 fresh[2];
        DO(cudaMemset(slots, 0, words * 8));
        for (int again = 0; again < 2; again++) {
            DO(cudaMemset(count, 0, 8));
            start();
            insert<<<132 * 16, 256>>>(slots, words - 1, 0, keys, count);
            double s = stop();
            if (s < best[again]) best[again] = s;
            DO(cudaMemcpy(&fresh[again], count, 8, cudaMemcpyDeviceToHost));
        }
        if (fresh[0] > keys || fresh[0] < keys - keys / 1000 || fresh[1] != 0) printf("WRONG: %llu %llu of %llu\n", fresh[0], fresh[1], keys);
    }
    printf("table of %.1f GiB in %s: %.1f M new keys/s, %.1f M known keys/s (%llu keys)\n", words * 8 / 1073741824.0, where,
           keys / best[0] / 1e6, keys / best[1] / 1e6, keys);
    fflush(stdout);
}

static void row(const char *where, u64 *words, u64 n, u64 *count) {
    double best[2] = {1e9, 1e9};
    for (int run = 0; run < 3; run++) {
        start(); fill<<<132 * 16, 256>>>(words, n); double s = stop();
        if (s < best[0]) best[0] = s;
        start(); sum<<<132 * 16, 256>>>(words, n, count); s = stop();
        if (s < best[1]) best[1] = s;
    }
    printf("row in %s: written %.1f GB/s, read %.1f GB/s\n", where, n * 8 / best[0] / 1e9, n * 8 / best[1] / 1e9);
    fflush(stdout);
}

int main(int argc, char **argv) {
    u64 gib = argc > 1 ? atoi(argv[1]) : 8, words = gib << 27;
    u64 *device, *host, *seen, *count;
    DO(cudaSetDeviceFlags(cudaDeviceMapHost));
    DO(cudaEventCreate(&a)); DO(cudaEventCreate(&b));
    DO(cudaMalloc(&device, words * 8)); DO(cudaMalloc(&count, 8));
    DO(cudaHostAlloc(&host, words * 8, cudaHostAllocMapped));
    DO(cudaHostGetDevicePointer(&seen, host, 0));
    int atomics = 0;
    DO(cudaDeviceGetAttribute(&atomics, cudaDevAttrHostNativeAtomicSupported, 0));
    printf("native atomics on host memory: %d\n", atomics);
    table("device memory", device, words, words / 2, count);
    table("host memory", seen, words, 1ull << 24, count);
    table("device memory, as few keys", device, words, 1ull << 24, count);
    u64 n = words / 2;
    row("device memory", device, n, count);
    row("host memory", seen, n, count);
    double best[2] = {1e9, 1e9};
    for (int run = 0; run < 3; run++) {
        start(); DO(cudaMemcpyAsync(host, device, n * 8, cudaMemcpyDeviceToHost)); double s = stop();
        if (s < best[0]) best[0] = s;
        start(); DO(cudaMemcpyAsync(device, host, n * 8, cudaMemcpyHostToDevice)); s = stop();
        if (s < best[1]) best[1] = s;
    }
    printf("copies: to the host %.1f GB/s, from it %.1f GB/s\n", n * 8 / best[0] / 1e9, n * 8 / best[1] / 1e9);
    return 0;
}
