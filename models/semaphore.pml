/* Three workers share a semaphore.

   The statement `atomic { free > 0 -> free-- }` is one step: a worker looks and takes, or waits.

     mutex    never two inside                       holds
     served   whoever wants to enter does so         violated, and with weak fairness, too: a worker that waits is not
                                                     enabled all the time, only between two visits of the others, so
                                                     weak fairness does not help it
                                                     holds with --fairness strong

   riata check models/semaphore.pml
   riata check models/semaphore.pml --fairness weak
   riata check models/semaphore.pml --fairness strong */

byte free = 1;
byte inside;

active [3] proctype Worker() {
  do
  :: skip;
wants:
     atomic { free > 0 -> free--; inside++ };
uses:
     atomic { inside--; free++ }
  od
}

ltl mutex { [] (inside <= 1) }
ltl served { [] (Worker[0]@wants -> <> Worker[0]@uses) }
