mtype = { letter, parcel };
chan box = [1] of { mtype, byte };
byte got;

active proctype Sender() {
  byte n;
  do
  :: box!letter,n -> n++
  :: n == 2 -> break
  od;
  box!parcel,n
}

active proctype Receiver() {
  mtype m;
  do
  :: box?m,got ->
     if
     :: m == parcel -> break
     :: else
     fi
  od;
  assert(got < 2)
}
