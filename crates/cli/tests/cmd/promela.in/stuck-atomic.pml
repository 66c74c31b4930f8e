/* Control is free wherever the process waits for a timeout. */
byte x;
active proctype P() {
  atomic {
    x = 1;
L:  timeout;
    goto L
  }
}
active proctype Q() {
  skip
}
