/* The states that were found, and the table that knows them.
 *
 * All states are in a row, in the order in which they came: a level of the search is a piece of it. The table is of open
 * addressing, in buckets of 32 bytes. Short states (INLINE) are in it themselves, two words at most, each one more than it
 * is so that 0 means nothing: who swaps the first word in has the slot, and the second follows. For longer ones an entry is
 * 30 bits of their hash and their number, plus one; while the state is being written the number is all ones.
 *
 *   insert(key):
 *     for each slot from the bucket of the hash on:
 *       if it is empty: swap the claim in; who wins writes the state behind the others and publishes the slot: new
 *       if the state may be this one: if it is not published yet, look again; if it is the same: known
 *     no slot after many: full
 */
struct table {
    u64 *slots;
    u64 *states;
    u64 buckets;
    u64 capacity;
};

struct counters {
    u64 count;       /* states */
    u64 transitions;
    u64 stuck;       /* states without a step that are no valid ends */
    u64 first_stuck; /* the number of the first of them */
    u64 asked;       /* states that the interpreter expands */
    u64 full;        /* was there no room? */
    u64 found;       /* the number of the first state with a step to the wanted one */
    u64 listed;      /* states in the next list */
    u64 members;     /* states in the set */
    u64 lost;        /* did an edge lead to a state that is not known? */
};

/* What is to be done. */
struct job {
    u64 lo;            /* the first state */
    u64 hi;            /* the one after the last */
    u64 *asks;         /* where those are put that the interpreter expands */
    const u64 *target; /* the wanted state, or none */
    /* From here on for waves. */
    u64 op;
    u64 wanted;        /* the marks of the edges that are followed */
    u32 *marks;        /* of each state, a word */
    const u32 *todo;   /* the states, if they are not those from lo to hi */
    u32 *next;         /* the next list */
    u64 asked;         /* the states whose edges the interpreter told, so many */
    const u64 *from;   /* their numbers, ascending */
    const u64 *first;  /* of each its first edge, and the end */
    const u64 *to;     /* where the edges lead */
    const u64 *lent;   /* their marks */
};

#define KNOWN 0
#define NEW 1
#define FULL 2
#define NEITHER 3
#define PROBES 512u /* buckets */

/* The end of a round of `insert`. Who has claimed a slot publishes it in the same round: who meets a slot that is busy goes
 * round again, and the threads of a warp, which may be both, come together here. A compiler must not see that the search
 * for a slot is over before this, or it moves what is published behind the loop, where those wait who wait for it. */
#define NEXT_SLOT(said, busy) \
    do { \
        HIDE(said); \
        if (said == NEITHER && !busy) { \
            probe++; \
            if (probe % BUCKET == 0 && ++bucket == g.buckets) { \
                bucket = 0; \
            } \
            if (probe >= PROBES * BUCKET) { \
                n->full = 1; \
                said = FULL; \
            } \
        } else if (busy) { \
            PAUSE(); \
        } \
    } while (0)

DEVICE u64 hash(const u64 *key) {
    u64 h = 0x9e3779b97f4a7c15ull;
    UNROLL
    for (int i = 0; i < W; i++) {
        h = (h ^ key[i]) * 0xd6e8feb86659fd93ull;
        h ^= h >> 32;
    }
    h *= 0xd6e8feb86659fd93ull;
    h ^= h >> 29;
    h *= 0x9fb21c651e98df25ull;
    return h ^ (h >> 32);
}

/* A number of its own for each state: one addition for all threads of a warp that come together. */
DEVICE u64 number(u64 *count) {
#ifdef __CUDACC__
    unsigned active = __activemask();
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    int leader = __ffs(active) - 1;
    u64 first = 0;
    if ((int)lane == leader) {
        first = atomicAdd(count, (u64)__popc(active));
    }
    first = __shfl_sync(active, first, leader);
    return first + __popc(active & ((1u << lane) - 1u));
#else
    return ADD(count, 1ull);
#endif
}

DEVICE int append(struct table g, struct counters *n, const u64 *key, u64 *at) {
    *at = number(&n->count);
    if (*at >= g.capacity) {
        n->full = 1;
        return 0;
    }
    UNROLL
    for (int i = 0; i < W; i++) {
        WRITE(g.states + *at * W + i, key[i]);
    }
    return 1;
}

#if INLINE
/* Slots in a bucket. */
#define BUCKET (4 / W)

DEVICE int insert(struct table g, struct counters *n, const u64 *key) {
    u64 bucket = HIGH(hash(key), g.buckets);
    u64 first = key[0] + 1;
    u64 at;
    u32 probe = 0;
    int said = NEITHER;
#if W == 2
    u64 second = key[1] + 1;
#endif
    while (said == NEITHER) {
        u64 *slot = g.slots + bucket * 4 + (probe % BUCKET) * W;
        int busy = 0;
#if W == 2
        u64 now, rest;
        READ2(slot, &now, &rest);
#else
        u64 now = READ(slot);
#endif
        if (now == 0) {
            now = SWAP(slot, 0ull, first);
            if (now == 0) {
#if W == 2
                PUBLISH(slot + 1, second);
#endif
                said = append(g, n, key, &at) ? NEW : FULL;
            }
        }
        if (said == NEITHER && now == first) {
#if W == 2
            busy = rest == 0;
            said = rest == second ? KNOWN : NEITHER;
#else
            said = KNOWN;
#endif
        }
        NEXT_SLOT(said, busy);
    }
    return said;
}
#else
#define BUCKET 4
#define NUMBER ((1ull << 34) - 1)

DEVICE int insert(struct table g, struct counters *n, const u64 *key) {
    u64 h = hash(key);
    u64 bucket = HIGH(h, g.buckets);
    u64 claim = (h << 34) | NUMBER;
    u64 at;
    u32 probe = 0;
    int said = NEITHER;
    while (said == NEITHER) {
        u64 *slot = g.slots + bucket * 4 + probe % BUCKET;
        u64 now = READ(slot);
        int busy = 0;
        if (now == 0) {
            now = SWAP(slot, 0ull, claim);
            if (now == 0) {
                int room = append(g, n, key, &at);
                PUBLISH(slot, room ? (claim & ~NUMBER) | (at + 1) : 0ull);
                said = room ? NEW : FULL;
            }
        }
        if (said == NEITHER && ((now ^ claim) & ~NUMBER) == 0) {
            busy = now == claim;
            if (!busy) {
                const u64 *state = g.states + ((now & NUMBER) - 1) * W;
                int same = 1;
                UNROLL
                for (int i = 0; i < W; i++) {
                    same &= READ(state + i) == key[i];
                }
                said = same ? KNOWN : NEITHER;
            }
        }
        NEXT_SLOT(said, busy);
    }
    return said;
}
#endif
