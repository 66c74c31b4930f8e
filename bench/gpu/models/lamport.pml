/* Lamport's fast mutual exclusion: without competition a process needs no loop. */
#ifndef N
#define N 3
#endif
unsigned x : 3;
unsigned y : 3; /* 0 nobody, otherwise one more than who */
bit b[N];
unsigned inside : 3;

active [N] proctype P() {
  unsigned k : 4;
start:
  do
  :: b[_pid] = 1;
     x = _pid + 1;
     if
     :: y != 0 -> b[_pid] = 0; y == 0; goto start
     :: y == 0
     fi;
     y = _pid + 1;
     if
     :: x != _pid + 1 ->
        b[_pid] = 0;
        k = 0;
        do
        :: k < N && !b[k] -> k++
        :: k == N -> break
        od;
        k = 0;
        if
        :: y != _pid + 1 -> y == 0; goto start
        :: y == _pid + 1
        fi
     :: x == _pid + 1
     fi;
     inside++;
     assert(inside == 1);
     inside--;
     y = 0;
     b[_pid] = 0
  od
}
