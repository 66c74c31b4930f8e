#define N 2
chan c = [N] of { byte };
active proctype P() {
  byte count;
  do
  :: count < N -> c!cuont
  :: c!1,2
  od
}
