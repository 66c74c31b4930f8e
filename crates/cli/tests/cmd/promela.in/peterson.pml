/* Peterson's mutual exclusion for two processes.

   riata check models/peterson.pml */

bool want[2];
byte turn;
byte inside;

active [2] proctype P() {
  byte other = 1 - _pid;
again:
  want[_pid] = true;
  turn = other;
  (!want[other] || turn == _pid);
  inside++;
crit:
  assert(inside == 1);
  inside--;
  want[_pid] = false;
  goto again
}

ltl mutex { [] (inside <= 1) }
ltl live { [] (want[0] -> <> P[0]@crit) }
