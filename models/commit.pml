/* Two-phase commit: a coordinator and two workers decide together whether a transaction is done.

   First the coordinator asks for votes; a worker that says yes has promised, and must wait for the decision. The
   decision is to commit if all say yes, to abort if one says no. The coordinator may crash before it has told everybody
   (-D SAFE: it does not).

     agreement   never does one commit and another abort                          holds
     validity    who commits knows that all said yes                              holds
     decides     every worker decides some day                                    violated: the coordinator has crashed,
                                                                                  and who has promised waits for ever.
                                                                                  Two-phase commit blocks
                                                                                  holds with -D SAFE
     deadlock    nobody waits for ever                                            violated, for the same reason
                                                                                  holds with -D SAFE
     optimist    every transaction is done: meant to fail, a worker may say no    violated

   riata check models/commit.pml
   riata check models/commit.pml -D SAFE */

#define WORKERS 2

mtype = { undecided, committed, aborted };
mtype = { yes, no, commit, abort };

chan votes = [WORKERS] of { mtype };
chan decision[WORKERS] = [1] of { mtype };

mtype state[WORKERS] = undecided;
byte ayes;  /* how many said yes */

active [WORKERS] proctype Worker() {
  if
  :: atomic { votes!yes; ayes++ };
     if
     :: decision[_pid]?commit -> state[_pid] = committed
     :: decision[_pid]?abort -> state[_pid] = aborted
     fi
  :: votes!no; state[_pid] = aborted  /* who says no need not wait */
  fi
}

active proctype Coordinator() {
  byte answers, agreed, i;
  mtype vote, said;
  do
  :: answers < WORKERS ->
       votes?vote;
       answers++;
       if
       :: vote == yes -> agreed++
       :: else
       fi
  :: answers == WORKERS -> break
#ifndef SAFE
  :: goto crashed
#endif
  od;
  said = (agreed == WORKERS -> commit : abort);
  do
  :: i < WORKERS -> decision[i]!said; i++
  :: i == WORKERS -> break
#ifndef SAFE
  :: goto crashed
#endif
  od;
crashed:
  skip
}

#define decided(w) (state[w] != undecided)

ltl agreement { [] !(state[0] == committed && state[1] == aborted || state[0] == aborted && state[1] == committed) }
ltl validity { [] ((state[0] == committed || state[1] == committed) -> ayes == WORKERS) }
ltl decides { <> (decided(0) && decided(1)) }
ltl optimist { <> (state[0] == committed && state[1] == committed) }
