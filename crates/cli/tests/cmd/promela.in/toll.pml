/* A gate that opens for a coin. */
mtype = { coin, go };
chan slot = [0] of { mtype };
chan light = [1] of { mtype };
byte cars;
bool broken;

active proctype Car() {
  byte paid;
  do
  :: paid < 2 -> slot!coin; paid++; light?go; cars++; printf("car %d passes\n", cars)
  :: else -> break
  od
}

active proctype Gate() {
  do
  :: slot?coin -> light!go
  :: broken -> printf("out of order\n"); break
  od
}

ltl cheated { [] (broken -> <> (cars > 2)) }
