/* An assertion of a process beside one that never stops: it must not be put off for ever. */
byte x;
active proctype spins() { byte n; do :: n = 1 - n od }
active proctype fails() { byte m; m = 1; m = 2; x = m; assert(x != 2) }
