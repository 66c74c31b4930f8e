/* Leader election with extinction, for arbitrary networks: the echo algorithm, started by every node at once.
 *
 * A node sends its number to its neighbours: its own wave. A better wave extinguishes the one that a node is in; it
 * then has a father, passes the wave on to the other neighbours, and answers the father when it has heard from all of
 * them. The node that hears the echo of its own wave from all neighbours is the leader, and says so to everybody; who
 * has heard that from all neighbours begins the next election.
 *
 * VARIANT 1: the best number is always the same, so the same node wins every time.
 * VARIANT 2: what is best moves on with every election, so each node gets its turn.
 */
#ifndef VARIANT
#define VARIANT 1
#endif
#define N 3          /* nodes; the network is complete */
#define NOBODY 3

mtype = { wave, won };
chan link[9] = [4] of { mtype, byte };      /* from i to j: link[i * N + j] */

byte leader = NOBODY;                       /* who has won this election and has not been told to all */
byte heard;                                 /* how many nodes know the winner */

#if VARIANT == 2
#define rank(x) ((x + round) % N)
#else
#define rank(x) (x)
#endif

#define other1 ((me + 1) % N)
#define other2 ((me + 2) % N)

inline start() {
  best = me; echoes = 0; father = NOBODY; told = 0; knows1 = 0; knows2 = 0;
  link[me * N + other1] ! wave, me;
  link[me * N + other2] ! wave, me
}

/* a message of the wave `w` from `from`; `rest` is the other neighbour */
inline on_wave(from, rest) {
  if
  :: rank(w) > rank(best) ->                /* a better wave */
     best = w; father = from; echoes = 1;
     link[me * N + rest] ! wave, w
  :: w == best ->
     echoes++;
     if
     :: echoes == 2 && father == NOBODY ->  /* the echo of my own wave */
        leader = me;
        link[me * N + other1] ! won, me;
        link[me * N + other2] ! won, me;
        told = 1
     :: echoes == 2 && father != NOBODY ->
        link[me * N + father] ! wave, w
     :: else
     fi
  :: else                                   /* extinguished */
  fi
}

/* `from` knows the winner */
inline on_won(knows) {
  knows = 1;
  if
  :: !told ->
     told = 1;
     link[me * N + other1] ! won, w;
     link[me * N + other2] ! won, w
  :: else
  fi
}

inline receive(from, rest, knows) {
  link[from * N + me] ? kind, w;
  if
  :: kind == wave -> on_wave(from, rest)
  :: else -> on_won(knows)
  fi;
  kind = 0; w = 0
}

proctype node(byte me) {
  byte best, echoes, father, w;
  mtype kind;
  bit told, knows1, knows2;
#if VARIANT == 2
  byte round;
#endif
  start();
  do
  :: !knows1 && nempty(link[other1 * N + me]) -> receive(other1, other2, knows1)
  :: !knows2 && nempty(link[other2 * N + me]) -> receive(other2, other1, knows2)
  :: knows1 && knows2 ->
     atomic {
       heard++;
       if
       :: heard == N -> heard = 0; leader = NOBODY   /* the last one closes the election */
       :: else
       fi
     };
#if VARIANT == 2
     round = (round + 1) % N;
#endif
     start()
  od
}

init { atomic { run node(0); run node(1); run node(2) } }

/* Properties in the spirit of Geldenhuys and Valmari's A to I. */
ltl A { <>[] (leader != 0) }                       /* from some point on, node 0 is never the leader again */
ltl B { <>[] (leader == NOBODY) }                  /* from some point on, nobody is */
ltl C { <> (leader != NOBODY) }                    /* there is a leader at some time */
ltl D { []<> (leader != NOBODY) }                  /* there is one infinitely often */
ltl E { [] (leader == NOBODY) }                    /* there never is one */
ltl F { [] ((leader == NOBODY) -> <> (leader != NOBODY)) }   /* each election ends */
ltl G { [] (leader != 0) }                         /* node 0 never is the leader */
ltl H { []<> (leader == 2) -> <>[] (leader == 2) } /* who wins infinitely often stays the leader */
ltl I { []<> (leader == 2) -> []<> (leader == 0) } /* if node 2 wins infinitely often, so does node 0 */
