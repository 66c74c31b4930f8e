/* Into the middle of an atomic sequence, and out of one. */
byte x, y;
active proctype P()
{
	if
	:: goto inside
	:: skip
	fi;
	atomic {
		x = 1;
inside:		y++;
		if
		:: y > 1 -> goto outside
		:: x == 1 -> x = 2
		:: else
		fi
	};
	x = 3;
outside: x = x + y
}
active proctype Q()
{
	atomic { y++; y > 1; y = 0 };
	assert(x != 4)
}
