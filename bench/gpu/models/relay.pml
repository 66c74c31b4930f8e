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
chan line[N] = [K] of { byte };

active proctype Source() {
  byte next;
  do
  :: line[0]!next -> next = (next + 1) % M
  :: line[0]!next -> next = 0
  od
}

active [N - 1] proctype Station() {
  byte got;
  do
  :: line[_pid - 1]?got -> line[_pid]!got
  od
}

active proctype Sink() {
  byte got;
  do
  :: line[N - 1]?got -> got = 0
  od
}
