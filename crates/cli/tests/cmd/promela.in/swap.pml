/* Two processes that do the same: who moved cannot be told from the states. */
bit x;
byte a[2], i;

active proctype A() { do :: x = 1 - x od }
active proctype B() { do :: atomic { x = 1 - x; i = 1; i = 0 } od }

ltl settles { <>[] (x == 0) }
ltl unseen { [] (i == 0) }
ltl inside { [] (a[i + 1] == 0) }
ltl outside { [] (a[x + 1] == 0) }
