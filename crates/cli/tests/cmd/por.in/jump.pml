/* Jumps into and out of atomic sequences, one of which blocks in its middle. */
byte x, y;
active proctype P()
{
    atomic { x = 1; y == 1; L: x = 2; goto M };
    x = 9;
M:  atomic { y = 2; goto L }
}
active proctype Q()
{
    x == 1; y = 1; assert(x != 3);
    x == 2 && y == 2;
    assert(false)
}
