/* The failing step is one of those that are left out at first. */
byte g;
active proctype A() {
  assert(g > 0)
}
active proctype B() {
  byte x;
  x = 1;
  do
  :: skip
  od
}
