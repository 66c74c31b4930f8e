/* The bakery, with tickets up to MAX: who would draw a higher one waits until all have gone. */
#ifndef N
#define N 3
#endif
#ifndef MAX
#define MAX 5
#endif
byte ticket[N];
bit drawing[N];
unsigned inside : 3;

active [N] proctype P() {
  unsigned k : 4;
  unsigned most : 4;
  do
  :: drawing[_pid] = 1;
     most = 0;
     k = 0;
     do
     :: k < N -> if :: ticket[k] > most -> most = ticket[k] :: else fi; k++
     :: k == N -> break
     od;
     if
     :: most < MAX -> ticket[_pid] = most + 1
     :: most >= MAX -> drawing[_pid] = 0; goto again
     fi;
     drawing[_pid] = 0;
     k = 0;
     do
     :: k < N ->
        !drawing[k];
        ticket[k] == 0 || ticket[k] > ticket[_pid] || (ticket[k] == ticket[_pid] && k >= _pid);
        k++
     :: k == N -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     ticket[_pid] = 0;
again: skip
  od
}
