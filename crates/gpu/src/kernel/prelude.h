/* One text for two worlds: CUDA C, compiled at run time for the device, and plain C for the host, where threads run it. */
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;

#ifdef __CUDACC__
#define DEVICE static __device__ __forceinline__
/* The table is read around the first cache, which does not see what other processors write; and it is read anew each time: a
 * compiler may think that __ldcg of the same place gives the same. */
static __device__ __forceinline__ u64 fresh(const u64 *p) {
    u64 v;
    asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}
static __device__ __forceinline__ void fresh2(const u64 *p, u64 *a, u64 *b) {
    asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];" : "=l"(*a), "=l"(*b) : "l"(p) : "memory");
}
/* A value of which a compiler knows nothing. */
#define HIDE(x) asm volatile("" : "+r"(x))
/* Somebody else is to go on first. */
#if __CUDA_ARCH__ >= 700
#define PAUSE() __nanosleep(32)
#else
#define PAUSE()
#endif
#define READ(p) fresh(p)
#define READ2(p, a, b) fresh2(p, a, b)
#define WRITE(p, v) __stcg(p, v)
#define SWAP(p, a, b) atomicCAS(p, a, b)
#define PUBLISH(p, v) do { __threadfence(); *(volatile u64 *)(p) = (v); } while (0)
#define ADD(p, v) atomicAdd(p, v)
#define LEAST(p, v) atomicMin(p, v)
#define HIGH(a, b) __umul64hi(a, b)
#define UNROLL _Pragma("unroll")
#define OR(p, v) atomicOr(p, v)
#define AND(p, v) atomicAnd(p, v)
#define READ_MARK(p) __ldcg(p)
#define LOWEST(x) (u32)(__ffsll((long long)(x)) - 1)
#define BITS(x) __popcll(x)
#define TABLE static __device__ const
#else
#define DEVICE static inline __attribute__((unused))
#define HIDE(x)
#define PAUSE()
#define READ(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define READ2(p, a, b) (*(a) = READ(p), *(b) = READ((p) + 1))
#define WRITE(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
#define PUBLISH(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define ADD(p, v) __atomic_fetch_add(p, v, __ATOMIC_ACQ_REL)
#define HIGH(a, b) ((u64)(((unsigned __int128)(a) * (b)) >> 64))
#define UNROLL
#define OR(p, v) __atomic_fetch_or(p, v, __ATOMIC_ACQ_REL)
#define AND(p, v) __atomic_fetch_and(p, v, __ATOMIC_ACQ_REL)
#define READ_MARK(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define LOWEST(x) (u32)__builtin_ctzll(x)
#define BITS(x) __builtin_popcountll(x)
#define TABLE static const __attribute__((unused))
static inline __attribute__((unused)) void least(u64 *p, u64 v) {
    u64 now = __atomic_load_n(p, __ATOMIC_ACQUIRE);
    while (v < now && !__atomic_compare_exchange_n(p, &now, v, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    }
}
#define LEAST(p, v) least(p, v)
#ifdef RIATA_RACE
/* The seeded mistake: a slot is read and written, and others may come in between. */
#include <sched.h>
static inline __attribute__((unused)) u64 race(u64 *p, u64 a, u64 b) {
    u64 now = __atomic_load_n(p, __ATOMIC_ACQUIRE);
    sched_yield();
    if (now == a) {
        __atomic_store_n(p, b, __ATOMIC_RELEASE);
    }
    return now;
}
#define SWAP(p, a, b) race(p, a, b)
#else
static inline __attribute__((unused)) u64 swap(u64 *p, u64 a, u64 b) {
    __atomic_compare_exchange_n(p, &a, b, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return a;
}
#define SWAP(p, a, b) swap(p, a, b)
#endif
#endif

/* What a step says: no more of them, one that was taken, or that the interpreter is to be asked. */
#define DONE 0
#define STEP 1
#define ASK 2

/* Where to resume in the steps of a state. */
struct cursor {
    i32 process;   /* whose turn it is, in the order in which they are tried */
    i32 edge;      /* the first step of its location that is left */
    i32 mine;      /* has the process a step of its own already? */
    i32 rank;      /* the group that an edge was taken of, plus one */
    i32 moved;     /* was there a step at all? */
    i32 timeout;   /* can no process move without a timeout? */
    i32 held;      /* who holds control after the step just told, plus one */
    i32 only;      /* is it the turn of one process alone? */
    i32 n;         /* how many processes there are */
    i32 committed; /* is some process at a committed location? */
};
