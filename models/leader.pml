/* Leader election in a ring, by Chang and Roberts (1979).

   Each node has a number of its own, and sends to its right neighbour. It starts by sending its number. A number that is
   greater than its own it passes on, a smaller one it drops; if its own comes back, no other number was greater, so it is
   the leader and tells the others.

     assertions  whoever becomes leader has the greatest number              holds
     deadlock    all end                                                     holds
     one         there is never more than one leader                         holds
     chosen      some day there is one                                       holds, without fairness: every run ends
     first       the leader is the node that spoke first: meant to fail,     violated
                 the greatest number wins, whoever spoke first

   riata check models/leader.pml
   riata check models/leader.pml -D N=4 --store tree */

#ifndef N
#define N 3
#endif

#define right ring[(_pid + 1) % N]

mtype = { candidate, elected };
chan ring[N] = [N] of { mtype, byte };

byte leaders;
byte leader;             /* its number; numbers are 1 to N */
byte spoke_first;        /* the number of the node whose first step came first; 0 if none */

active [N] proctype Node() {
  byte number = N - _pid, other;
  atomic {
    if
    :: spoke_first == 0 -> spoke_first = number
    :: else
    fi;
    right!candidate, number
  };
  do
  :: ring[_pid]?candidate, other ->
       if
       :: other > number -> right!candidate, other
       :: other < number
       :: other == number ->
            atomic { assert(number == N); leader = number; leaders++ };
            right!elected, number
       fi
  :: ring[_pid]?elected, other ->
       if
       :: other != number -> right!elected, other
       :: else
       fi;
       break
  od
}

ltl one { [] (leaders <= 1) }
ltl chosen { <> (leaders == 1) }
ltl first { [] (leaders == 0 || leader == spoke_first) }
