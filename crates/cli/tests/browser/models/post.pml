/* A clerk passes letters on; the desk asks for a stamp by rendezvous. </script> is in here to see that text stays text. */
mtype = { letter, bill };
chan in = [3] of { mtype, byte };
chan stamp = [0] of { byte };
byte sent, passed, stamped;
bool idle = true;

proctype Desk() {
    byte n;
    do
    :: stamp ? n -> stamped++;
       if
       :: stamped > 3 -> stamped = 0
       :: else
       fi
    od
}

active proctype Writer() {
    do
    :: sent < 3 -> in ! letter(sent); sent++; printf("letter %d <b>\n", sent)
    :: sent >= 3 -> in ! bill(9); sent = 0
    od
}

active proctype Clerk() {
    byte n;
    run Desk();
    do
    :: atomic { in ? letter(n) -> idle = false };
       stamp ! n; passed++; idle = true;
       if
       :: passed > 5 -> passed = 0
       :: else
       fi
    :: in ? bill(n) -> skip
    od
}

active proctype Never() {
    false;
    sent = 77
}

ltl answered { [] (!idle -> <> idle) }
ltl rests { <> [] idle }
ltl few { [] (sent <= 3) }
