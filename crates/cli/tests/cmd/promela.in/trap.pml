/* An atomic sequence that may never end, although there is a way out of it. */
byte x, y;
active proctype P() {
  atomic {
    y = 1;
    if
    :: x = 1
    :: do :: x = 2 od
    fi
  }
}
active proctype Q() { y == 1; x = 5 }
ltl small { [] (x != 7) }
