/* The search: what becomes of one state, and who does it for many.
 *
 *   explore(state):
 *     for each step of the state, as step() tells them:
 *       if somebody holds control then, go on from there: its steps come next, and if it has none, control is free
 *       otherwise it is a successor: insert it (or compare it with the wanted one, or follow a wave)
 *     if there was none, and not all processes are at valid ends: the state is stuck
 *     beside an automaton (PRODUCT) there is a successor for each of its edges that can be taken in the state, and a state in
 *     which nothing moves may be its own
 *     if step() does not know: the state goes to the list of those that the interpreter expands, and counts for nothing
 */
struct tally {
    u64 transitions;
    u64 stuck;
};

/* Is the state itself expanded, not one on the way in which control is held? */
#if KEEPS
#define AT_ROOT (depth == 0)
#else
#define AT_ROOT 1
#endif

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

/* What becomes of a successor; 0 if there is no room. */
DEVICE int pass(struct table g, struct counters *n, const struct job *j, u64 at, const u64 *key) {
    if (j->target) {
        if (same(key, j->target)) {
            LEAST(&n->found, at);
        }
        return 1;
    }
    return insert(g, n, key) != FULL;
}

#if PRODUCT
/* A successor for each edge of the automaton that can be taken; DONE if there is no room. */
DEVICE int tell(struct table g, struct counters *n, const struct job *j, u64 at, u32 *t, u64 open, u32 first) {
    u64 key[W];
    for (; open; open &= open - 1) {
        u32 e = first + LOWEST(open);
        t[N - 1] = EDGE_TO[e];
        if (j->op && (EDGE_MARKS[e] & j->wanted) != j->wanted) {
            continue;
        }
        if (!pack(t, key)) {
            return ASK;
        }
        if (j->op) {
            meet(n, j, find(g, key));
        } else if (!pass(g, n, j, at, key)) {
            return DONE;
        }
    }
    return STEP;
}
#define TELL_ALL() tell(g, n, j, at, t, open, first)
#define EACH ((u32)BITS(open))
#else
DEVICE int tell(struct table g, struct counters *n, const struct job *j, u64 at, u32 *t) {
    u64 key[W];
    if (!pack(t, key)) {
        return ASK;
    }
    return pass(g, n, j, at, key) ? STEP : DONE;
}
#define TELL_ALL() tell(g, n, j, at, t)
#define EACH 1u
#endif

DEVICE void explore(struct table g, struct counters *n, const struct job *j, u64 at, struct tally *tally) {
    u64 key[W];
    u32 s[N];
    u32 t[N];
    struct cursor c;
    u32 told = 0;
    int away = 0;
#if PRODUCT
    u64 letter = 0;
    u64 open = 0;
    u32 first = 0;
    if (j->op && (j->marks[at] & ASKED)) {
        told_edges(n, j, at);
        return;
    }
#endif
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
#if PRODUCT
    away = c.n < 0 || read_letter(s, &c, &letter) == ASK;
    if (!away) {
        open = open_edges(s[N - 1], letter, &first);
        if (!open) {
            return;
        }
    }
#else
    away = c.n < 0 || violates(s, c.n);
#endif
    while (!away) {
        int said = step(s, &c, t);
        int free = said == STEP;
        if (said == ASK || told >= MOST) {
            away = 1;
            break;
        }
#if PRODUCT && STUTTERS
        if (said == DONE && AT_ROOT && !told) {
            /* Nothing moves: the state is its own successor. */
            COPY(t, s);
            free = 1;
            said = STEP;
        }
#endif
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
            int went = TELL_ALL();
            told += EACH;
            if (went != STEP) {
                away = went == ASK;
                break;
            }
        }
    }
    if (away) {
        u64 *ask;
#if PRODUCT
        if (j->op) {
            n->lost = 1;
            return;
        }
#endif
        ask = j->asks + number(&n->asked) * W;
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

/* One of the states, or one of those in the list. */
DEVICE void expand(struct table g, struct counters *n, const struct job *j, u64 i, struct tally *tally) {
#if PRODUCT
    if (j->todo) {
        i = j->todo[i];
    } else if (j->op && !(j->marks[i] & IN)) {
        return;
    }
#endif
    explore(g, n, j, i, tally);
}

#ifdef __CUDACC__
DEVICE u64 of_warp(u64 v) {
    for (int by = 16; by > 0; by /= 2) {
        v += __shfl_down_sync(0xffffffffu, v, by);
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(THREADS) riata_expand(struct table g, struct counters *n, const __grid_constant__ struct job j) {
    struct tally tally = {0, 0};
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = j.lo + (u64)blockIdx.x * blockDim.x + threadIdx.x; i < j.hi; i += stride) {
        expand(g, n, &j, i, &tally);
    }
    __syncwarp();
    tally.transitions = of_warp(tally.transitions);
    tally.stuck = of_warp(tally.stuck);
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
#if PRODUCT
extern "C" __global__ void riata_sweep(struct counters *n, const __grid_constant__ struct job j) {
    u64 stride = (u64)gridDim.x * blockDim.x;
    u64 members = 0;
    for (u64 i = j.lo + (u64)blockIdx.x * blockDim.x + threadIdx.x; i < j.hi; i += stride) {
        sweep(n, &j, i, &members);
    }
    __syncwarp();
    members = of_warp(members);
    if ((threadIdx.x & 31) == 0 && members) {
        atomicAdd(&n->members, members);
    }
}

extern "C" __global__ void riata_find(struct table g, const u64 *keys, u64 count, u64 *out) {
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        out[i] = find(g, keys + i * W);
    }
}
#endif
#else
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
void JOIN(riata_expand_, TAG)(struct table *g, struct counters *n, struct job *j) {
    struct tally tally = {0, 0};
    for (u64 i = j->lo; i < j->hi; i++) {
        expand(*g, n, j, i, &tally);
    }
    ADD(&n->transitions, tally.transitions);
    ADD(&n->stuck, tally.stuck);
}

void JOIN(riata_insert_, TAG)(struct table *g, struct counters *n, const u64 *keys, u64 count) {
    for (u64 i = 0; i < count; i++) {
        insert(*g, n, keys + i * W);
    }
}
#if PRODUCT
void JOIN(riata_sweep_, TAG)(struct counters *n, struct job *j) {
    u64 members = 0;
    for (u64 i = j->lo; i < j->hi; i++) {
        sweep(n, j, i, &members);
    }
    ADD(&n->members, members);
}

void JOIN(riata_find_, TAG)(struct table *g, const u64 *keys, u64 count, u64 *out) {
    for (u64 i = 0; i < count; i++) {
        out[i] = find(*g, keys + i * W);
    }
}
#endif
#endif
