/* Three nodes pass a number round; each counts in private. */
chan ring[3] = [1] of { byte };

proctype node(byte me; chan from, to)
{
    byte got, steps;
    if
    :: me == 0 -> to!7
    :: else
    fi;
    do
    :: from?got -> steps++; assert(got == 7); steps = 0; to!got
    od
}

init { atomic { run node(0, ring[0], ring[1]); run node(1, ring[1], ring[2]); run node(2, ring[2], ring[0]) } }

ltl always { [] (len(ring[0]) <= 1) }
ltl next { [] (len(ring[0]) == 1 -> X (len(ring[0]) <= 1)) }
