/* A process that has ended gives its number back, so who is asked for its number meets everybody's end. */
byte served;
proctype guest() { assert(_pid == 2); served++ }
active proctype host() { run guest(); (served > 0); run guest() }
active proctype other() { skip }
