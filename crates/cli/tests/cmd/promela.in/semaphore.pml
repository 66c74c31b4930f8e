/* Who waits at a semaphore can get in again and again, but not always. */
bool taken;

active [2] proctype P() {
    do
    :: atomic { !taken -> taken = true };
in:    skip;
       taken = false
    od
}

ltl live { []<> (P[0]@in) }
