/* N counters modulo M, each on its own: M ^ N states and N * M ^ N transitions, whatever M and N are. */
#ifndef N
#define N 4
#endif
#ifndef M
#define M 16
#endif
byte x[N];

active [N] proctype P() {
  do
  :: d_step { x[_pid] = (x[_pid] + 1) % M }
  od
}
