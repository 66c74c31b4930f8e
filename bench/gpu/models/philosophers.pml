/* N philosophers who take the fork on their left first, then the one on their right. -D N=10 has some million states; all
 * of them waiting for the second fork is the deadlock. */
#ifndef N
#define N 5
#endif
bit fork[N];

#define RIGHT ((_pid + 1) % N)

active [N] proctype P() {
  bit meals;
  do
  :: d_step { !fork[_pid] -> fork[_pid] = 1 };
     d_step { !fork[RIGHT] -> fork[RIGHT] = 1 };
     meals = (meals + 1) % 2;
     fork[_pid] = 0;
     fork[RIGHT] = 0
  od
}
