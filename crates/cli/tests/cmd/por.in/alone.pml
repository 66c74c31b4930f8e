/* Spin's issue 78 in other words: the assertion fails only if the one that was there first has not ended yet. */
active proctype maker() { run twin() }
active proctype brief() { skip }
proctype twin() { assert(_pid == 1) }
