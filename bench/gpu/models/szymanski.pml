/* Szymanski's mutual exclusion: a waiting room with two doors. The flags are 0 out, 1 wants in, 2 waits for others, 3 at the
 * door, 4 inside. */
#ifndef N
#define N 3
#endif
byte flag[N];
unsigned inside : 3;

#define EACH(condition) k = 0; do :: k < N && (condition) -> k++ :: k == N -> break od

active [N] proctype P() {
  unsigned k : 4;
  do
  :: flag[_pid] = 1;
     EACH(flag[k] < 3);
     flag[_pid] = 3;
     k = 0;
     do
     :: k < N && flag[k] != 1 -> k++
     :: k < N && flag[k] == 1 -> flag[_pid] = 2; break
     :: k == N -> break
     od;
     if
     :: flag[_pid] == 2 ->
        k = 0;
        do
        :: flag[k] == 4 -> break
        :: flag[k] != 4 -> k = (k + 1) % N
        od
     :: else
     fi;
     flag[_pid] = 4;
     EACH(k >= _pid || flag[k] < 2);
     inside++;
     assert(inside == 1);
     inside--;
     EACH(k <= _pid || flag[k] < 2 || flag[k] > 3);
     flag[_pid] = 0;
     k = 0
  od
}
