/* Twelve stations hand a token round. A round has twelve steps of three statements; the hundredth is the first again. */
byte turn;
byte rounds;

proctype Station(byte me) {
    byte seen, kept;
    do
    :: turn == me ->
       seen = (seen + 1) % 100;
       d_step { turn = (turn + 1) % 12; kept = seen / 2; if :: turn == 0 -> rounds = (rounds + 1) % 100 :: else fi }
    od
}

init {
    byte i;
    atomic {
        do
        :: i < 12 -> run Station(i); i++
        :: else -> break
        od;
        i = 0
    }
}

ltl stops { <> [] (rounds > 0) }
