/* Sets of states, and what becomes of them when edges are followed: for the search of cycles.
 *
 * All states were found before. Each has a word: is it in the set, was it reached, does the interpreter tell its edges, and
 * how many edges from the set lead to it.
 *
 *   wave(op, states): for each edge of these states with the wanted marks, if it leads to a state of the set:
 *     REACH   it is reached, and if it was not before, it comes to the next list
 *     COUNT   it has one more edge
 *     REMOVE  it has one less, and if that was the last one, it leaves the set and comes to the next list
 *   sweep(op): for all states:
 *     EVERY   it is in the set
 *     FLAG    its edges are those that the interpreter told
 *     KEEP    it is in the set if it was reached
 *     CLEAR   no edges are counted
 *     ZERO    it leaves the set if no edge was counted, and comes to the next list
 */
#define REACH 1
#define COUNT 2
#define REMOVE 3
#define EVERY 4
#define FLAG 5
#define KEEP 6
#define CLEAR 7
#define ZERO 8

#define IN 1u
#define REACHED 2u
#define ASKED 4u
#define ONE 8u
/* So many edges are not counted any more. */
#define MANY (1u << 31)

DEVICE u64 find(struct table g, const u64 *key) {
    u64 h = hash(key);
    u64 bucket = HIGH(h, g.buckets);
    for (u32 probe = 0; probe < PROBES * BUCKET;) {
        u64 now = g.slots[bucket * 4 + probe % BUCKET];
        if (now == 0) {
            break;
        }
        if (((now ^ (h << 34)) & ~NUMBER) == 0) {
            const u64 *state = g.states + ((now & NUMBER) - 1) * W;
            int same = 1;
            UNROLL
            for (int i = 0; i < W; i++) {
                same &= state[i] == key[i];
            }
            if (same) {
                return (now & NUMBER) - 1;
            }
        }
        probe++;
        if (probe % BUCKET == 0 && ++bucket == g.buckets) {
            bucket = 0;
        }
    }
    return ~0ull;
}

DEVICE void list(struct counters *n, const struct job *j, u64 at) {
    j->next[number(&n->listed)] = (u32)at;
}

/* An edge leads to a state. */
DEVICE void meet(struct counters *n, const struct job *j, u64 to) {
    u32 *mark;
    u32 now;
    if (to == ~0ull) {
        n->lost = 1;
        return;
    }
    mark = j->marks + to;
    now = READ_MARK(mark);
    if (!(now & IN)) {
        return;
    }
    if (j->op == REACH) {
        if (!(now & REACHED) && !(OR(mark, REACHED) & REACHED)) {
            list(n, j, to);
        }
    } else if (j->op == COUNT) {
        if (ADD(mark, ONE) >= MANY) {
            n->full = 1;
        }
    } else if (ADD(mark, 0u - ONE) < 2 * ONE) {
        AND(mark, ~IN);
        list(n, j, to);
    }
}

/* The edges of a state that the interpreter told. */
DEVICE void told_edges(struct counters *n, const struct job *j, u64 at) {
    u64 lo = 0;
    u64 hi = j->asked;
    while (lo < hi) {
        u64 middle = lo + (hi - lo) / 2;
        if (j->from[middle] < at) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    for (u64 e = j->first[lo]; e < j->first[lo + 1]; e++) {
        if ((j->lent[e] & j->wanted) == j->wanted) {
            meet(n, j, j->to[e]);
        }
    }
}

DEVICE void sweep(struct counters *n, const struct job *j, u64 i, u64 *members) {
    u32 *mark = j->marks + i;
    switch (j->op) {
    case EVERY:
        *mark = IN;
        break;
    case FLAG:
        j->marks[j->from[i]] |= ASKED;
        return;
    case KEEP:
        *mark = (*mark & ASKED) | (*mark & REACHED ? IN : 0u);
        break;
    case CLEAR:
        *mark &= ASKED | IN;
        break;
    default:
        if ((*mark & IN) && *mark < ONE) {
            *mark &= ~IN;
            list(n, j, i);
        }
    }
    *members += *mark & IN;
}
