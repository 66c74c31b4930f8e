/* Peterson's mutual exclusion for two processes.

   Who wants to enter says so (`want`), and lets the other go first (`turn`). Then it waits until the other does not want
   to, or has let it go first in turn.

     mutex   never both inside                              holds
     live    process 0 enters infinitely often              violated, because nobody said that the scheduler is fair:
                                                            process 1 may run alone for ever
                                                            holds with --fairness weak

   riata check models/peterson.pml
   riata check models/peterson.pml --fairness weak */

bool want[2];
byte turn;
byte inside;  /* how many are inside: only there to be looked at */

active [2] proctype P() {
  byte other = 1 - _pid;
again:
  want[_pid] = true;
  turn = other;
  (!want[other] || turn == _pid);  /* a condition is a statement that waits until it is true */
  inside++;
crit:
  assert(inside == 1);
  inside--;
  want[_pid] = false;
  goto again
}

ltl mutex { [] (inside <= 1) }
ltl live { []<> P[0]@crit }
