/* N counters modulo M, each on its own: M ^ N states and N * M ^ N transitions, whatever M and N are. */
#ifndef N
#define N 4
#endif
#ifndef M
#define M 16
#endif
/* For wide states: -D CELL=int -D W=1000003 */
#ifndef CELL
#define CELL byte
#endif
#ifndef W
#define W 1
#endif
CELL x[N];

active [N] proctype P() {
  do
  :: d_step { x[_pid] = (x[_pid] + W) % (M * W) }
  od
}
