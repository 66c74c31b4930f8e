/* Who writes last? */
byte last;

active proctype First() { last = 4 }
active proctype Second() { last = 9 }

ltl first { <> [] (last == 4) }
ltl some { <> [] (last > 0) }
ltl next { last == 0 && X (last > 0) }
