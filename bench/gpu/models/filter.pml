/* Filter lock: N processes pass N - 1 levels, on each of which one is held back. -D N=5 has some ten million states. */
#ifndef N
#define N 4
#endif
byte level[N];
byte last[N];
unsigned inside : 3;

active [N] proctype P() {
  unsigned l : 4;
  unsigned k : 4;
  do
  :: l = 1;
     do
     :: l < N ->
        level[_pid] = l;
        last[l] = _pid;
        k = 0;
        do
        :: k < N && (k == _pid || level[k] < l || last[l] != _pid) -> k++
        :: k == N -> break
        od;
        l++
     :: l == N -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     level[_pid] = 0
  od
}
