/* N stations in a row hand on numbers modulo M through queues of K messages: wide states, 8 bits for each message. */
#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif
#ifndef M
#define M 2
#endif
/* For wide states: -D CELL=int -D W=1000003 */
#ifndef CELL
#define CELL byte
#endif
#ifndef W
#define W 1
#endif
chan line[N] = [K] of { CELL };

active proctype Source() {
  CELL next;
  do
  :: line[0]!next -> next = (next + W) % (M * W)
  :: line[0]!next -> next = 0
  od
}

active [N - 1] proctype Station() {
  CELL got;
  do
  :: line[_pid - 1]?got -> line[_pid]!got
  od
}

active proctype Sink() {
  CELL got;
  do
  :: line[N - 1]?got -> got = 0
  od
}
