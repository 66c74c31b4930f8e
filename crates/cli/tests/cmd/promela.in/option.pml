/* A label at the beginning of an option, and a comparison behind a temporal operator. */
byte x;

active proctype P() {
	do
	:: accept: x = 1 - x
	od
}

ltl small { [] x < 2 }
