/* Who is created after another one has ended gets its number. */
active proctype creator() { run brief(); run late() }
proctype brief() { skip }
proctype late() { assert(_pid == 2) }
