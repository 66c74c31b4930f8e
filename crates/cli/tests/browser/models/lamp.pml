/* A hand presses a switch, a lamp goes on and off. */
bit on;
chan press = [1] of { bit };

active proctype Hand() {
    do
    :: press ! 1
    od
}

active proctype Lamp() {
    bit b;
    do
    :: atomic { press ? b -> on = 1 - on }
    od
}

ltl dark { <> [] (on == 0) }
