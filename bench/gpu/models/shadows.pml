/* Counters modulo M that carry ten shadows of themselves: (M + 1) ^ N states of some 90 N bits, as each process has the values
 * of the start once and M others for ever. */
#ifndef N
#define N 3
#endif
#ifndef M
#define M 15
#endif

active [N] proctype P() {
  byte x;
  byte y[10];
  do
  :: d_step {
       x = (x + 1) % M;
       y[0] = x * 17 + 1; y[1] = x * 29 + 2; y[2] = x * 37 + 3; y[3] = x * 43 + 4; y[4] = x * 53 + 5;
       y[5] = x * 61 + 6; y[6] = x * 71 + 7; y[7] = x * 83 + 8; y[8] = x * 97 + 9; y[9] = x * 101 + 10
     }
  :: y[0] + y[1] + y[2] + y[3] + y[4] + y[5] + y[6] + y[7] + y[8] + y[9] == 2000000 -> x = 0 /* never; but they are read */
  od
}
