/* Dining philosophers: N of them around a table, a fork between any two, and each needs two forks to eat.

   If all take the fork on their left first, they may all hold one and wait for the other: a deadlock. If one of them
   takes the right one first, they cannot (-D POLITE).

                as it is                                                     with -D POLITE
     deadlock   violated: all hold their left fork and wait for the right    holds
     exclusive  holds: no fork is in two hands                               holds
     eats       violated: some runs end in the deadlock, and in others       violated: the scheduler need not be fair
                the scheduler forgets philosopher 0                          holds with --fairness strong

   riata check models/philosophers.pml
   riata check models/philosophers.pml -D POLITE --fairness strong */

#ifndef N
#define N 4
#endif

bool taken[N];
byte hands[N];  /* in how many hands each fork is; no more than one, we hope */

inline take(fork) { atomic { !taken[fork] -> taken[fork] = true; hands[fork]++ } }
inline give(fork) { atomic { taken[fork] = false; hands[fork]-- } }

active [N] proctype Philosopher() {
  byte first = _pid, second = (_pid + 1) % N;
#ifdef POLITE
  if
  :: _pid == 0 -> first = 1; second = 0
  :: else
  fi;
#endif
end:  /* a table at which nobody is hungry is no deadlock */
  do
  :: take(first);
     take(second);
eating:
     give(first);
     give(second)
  od
}

ltl exclusive { [] (hands[0] <= 1 && hands[1] <= 1) }
ltl eats { []<> Philosopher[0]@eating }
