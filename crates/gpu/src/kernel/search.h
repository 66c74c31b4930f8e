/* The search: what becomes of one state, and who does it for many.
 *
 *   explore(state):
 *     for each step of the state, as step() tells them:
 *       if somebody holds control then, go on from there: its steps come next, and if it has none, control is free
 *       otherwise it is a successor: insert it (or compare it with the wanted one)
 *     if there was none, and not all processes are at valid ends: the state is stuck
 *     if step() does not know: the state goes to the list of those that the interpreter expands, and counts for nothing
 */
struct tally {
    u64 transitions;
    u64 stuck;
};

/* The most successors of a state that are told here. */
#define MOST 65536u

DEVICE int same(const u64 *a, const u64 *b) {
    int equal = 1;
    UNROLL
    for (int i = 0; i < W; i++) {
        equal &= a[i] == b[i];
    }
    return equal;
}

DEVICE void begin(struct cursor *c, const u32 *s) {
    c->process = 0;
    c->edge = 0;
    c->mine = 0;
    c->rank = 0;
    c->moved = 0;
    c->timeout = 0;
    c->held = 0;
    c->only = 0;
    c->n = processes(s);
    c->committed = committed(s);
}

DEVICE void explore(struct table g, struct counters *n, u64 *asks, const u64 *target, u64 at, struct tally *tally) {
    u64 key[W];
    u32 s[N];
    u32 t[N];
    struct cursor c;
    u32 told = 0;
    int away = 0;
#if KEEPS
    u32 states[DEPTH][N];
    struct cursor cursors[DEPTH];
    int depth = 0;
#endif
    UNROLL
    for (int i = 0; i < W; i++) {
        key[i] = g.states[at * W + i];
    }
    unpack(key, s);
    begin(&c, s);
    away = c.n < 0 || violates(s, c.n);
    while (!away) {
        int said = step(s, &c, t);
        int free = said == STEP;
        if (said == ASK || told >= MOST) {
            away = 1;
            break;
        }
#if KEEPS
        if (said == DONE) {
            if (depth == 0) {
                break;
            }
            /* Who can hold control, but has no step, lets it go. */
            free = !c.moved;
            if (free) {
                for (int i = 0; i < N; i++) {
                    t[i] = s[i];
                }
            }
            depth--;
            for (int i = 0; i < N; i++) {
                s[i] = states[depth][i];
            }
            c = cursors[depth];
        } else if (c.held) {
            if (depth == DEPTH) {
                away = 1;
                break;
            }
            for (int i = 0; i < N; i++) {
                states[depth][i] = s[i];
                s[i] = t[i];
            }
            cursors[depth] = c;
            depth++;
            {
                i32 holder = c.held - 1;
                begin(&c, s);
                if (c.n < 0) {
                    away = 1;
                    break;
                }
                c.only = 1;
                c.process = holder < c.n ? ORDER(holder) : PROCESSES;
            }
            continue;
        }
#else
        if (said == DONE) {
            break;
        }
#endif
        if (free) {
            told++;
            if (!pack(t, key)) {
                away = 1;
                break;
            }
            if (target) {
                if (same(key, target)) {
                    LEAST(&n->found, at);
                }
            } else if (insert(g, n, key) == FULL) {
                break;
            }
        }
    }
    if (away) {
        u64 *ask = asks + number(&n->asked) * W;
        UNROLL
        for (int i = 0; i < W; i++) {
            ask[i] = g.states[at * W + i];
        }
        return;
    }
    tally->transitions += told;
    if (told == 0 && !ends(s, c.n)) {
        tally->stuck++;
        LEAST(&n->first_stuck, at);
    }
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(THREADS) riata_expand(
    struct table g, struct counters *n, u64 *asks, const u64 *target, u64 lo, u64 hi) {
    struct tally tally = {0, 0};
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = lo + (u64)blockIdx.x * blockDim.x + threadIdx.x; i < hi; i += stride) {
        explore(g, n, asks, target, i, &tally);
    }
    __syncwarp();
    for (int by = 16; by > 0; by /= 2) {
        tally.transitions += __shfl_down_sync(0xffffffffu, tally.transitions, by);
        tally.stuck += __shfl_down_sync(0xffffffffu, tally.stuck, by);
    }
    if ((threadIdx.x & 31) == 0) {
        atomicAdd(&n->transitions, tally.transitions);
        if (tally.stuck) {
            atomicAdd(&n->stuck, tally.stuck);
        }
    }
}

extern "C" __global__ void riata_insert(struct table g, struct counters *n, const u64 *keys, u64 count) {
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        u64 key[W];
        for (int k = 0; k < W; k++) {
            key[k] = keys[i * W + k];
        }
        insert(g, n, key);
    }
}
#else
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
void JOIN(riata_expand_, TAG)(struct table *g, struct counters *n, u64 *asks, const u64 *target, u64 lo, u64 hi) {
    struct tally tally = {0, 0};
    for (u64 i = lo; i < hi; i++) {
        explore(*g, n, asks, target, i, &tally);
    }
    ADD(&n->transitions, tally.transitions);
    ADD(&n->stuck, tally.stuck);
}

void JOIN(riata_insert_, TAG)(struct table *g, struct counters *n, const u64 *keys, u64 count) {
    for (u64 i = 0; i < count; i++) {
        insert(*g, n, keys + i * W);
    }
}
#endif
