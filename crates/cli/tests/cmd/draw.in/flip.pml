bit x;
active proctype P() {
  do
  :: x = 1 - x
  :: x == 1 -> break
  od
}
ltl often { []<> (x == 1) }
