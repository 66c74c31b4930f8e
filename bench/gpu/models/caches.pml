/* N caches of one line and their memory: a cache asks for the line to read or to write, and the memory calls it back from the
 * others first, one by one. Requests and calls are rendezvous, and each answer is one atomic sequence. */
#ifndef N
#define N 3
#endif
#ifndef V
#define V 2
#endif
mtype = { read, write };
chan ask = [0] of { mtype, byte };
chan call[N] = [0] of { byte };
chan give = [0] of { byte };
byte kind[N]; /* 0 none, 1 shared, 2 own */
byte value;
byte held[N];

active proctype Memory() {
  byte who, k;
  mtype what;
  do
  :: ask?what, who;
     k = 0;
     do
     :: k < N ->
        if
        :: k != who && (kind[k] == 2 || (what == write && kind[k] == 1)) -> call[k]!0
        :: else
        fi;
        k++
     :: k == N -> break
     od;
     atomic { give!who; who = 0; k = 0; what = 0 }
  od
}

active [N] proctype Cache() {
  byte me;
  me = _pid - 1;
  do
  :: kind[me] == 0 -> ask!read, me; atomic { give?eval(me); kind[me] = 1; held[me] = value }
  :: kind[me] != 2 -> ask!write, me; atomic { give?eval(me); kind[me] = 2; held[me] = value }
  :: kind[me] == 2 -> held[me] = (held[me] + 1) % V
  :: kind[me] == 1 -> assert(held[me] == value)
  :: atomic { call[me]?_; if :: kind[me] == 2 -> value = held[me] :: else fi; kind[me] = 0; held[me] = 0 }
  od
}
