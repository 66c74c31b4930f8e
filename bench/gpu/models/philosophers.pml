/* N philosophers who take the fork on their left first, then the one on their right. -D N=10 has some million states; all
 * of them waiting for the second fork is the deadlock. */
#ifndef N
#define N 5
#endif
/* For wide states: -D CELL=int -D W=1000003 */
#ifndef CELL
#define CELL bit
#endif
#ifndef W
#define W 1
#endif
bit fork[N];

#define RIGHT ((_pid + 1) % N)

active [N] proctype P() {
  CELL meals;
  do
  :: d_step { !fork[_pid] -> fork[_pid] = 1 };
     d_step { !fork[RIGHT] -> fork[RIGHT] = 1 };
     meals = (meals + W) % (2 * W);
     fork[_pid] = 0;
     fork[RIGHT] = 0
  od
}
