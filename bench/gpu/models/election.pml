/* Leader election in a ring of N, after Chang and Roberts: names go round, and only the greatest comes back. Who starts
 * when is open, and a station may start again once it knows the leader, ROUNDS times in all. */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
chan to[N] = [N] of { byte, bit };

active [N] proctype Station() {
  byte name, rounds;
  bit announced;
  bit running;
  do
  :: !running && rounds < ROUNDS -> running = 1; rounds++; to[(_pid + 1) % N]!_pid + 1, 0
  :: to[_pid]?name, announced ->
     if
     :: !announced && name > _pid + 1 -> to[(_pid + 1) % N]!name, 0
     :: !announced && name == _pid + 1 -> to[(_pid + 1) % N]!name, 1
     :: !announced && name < _pid + 1 && !running -> running = 1; to[(_pid + 1) % N]!_pid + 1, 0
     :: announced && name != _pid + 1 -> running = 0; to[(_pid + 1) % N]!name, 1
     :: else -> running = 0
     fi;
     name = 0; announced = 0
  od
}
