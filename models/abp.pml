/* The alternating bit protocol: messages over channels that lose some, and arrive in order, each exactly once.

   The sender adds a bit to each message and sends it until the bit comes back; then it flips the bit. The receiver
   sends back the bit of what it receives, and takes a message only if the bit is another one than the last.

     assertions  what is taken is what was meant to come next: none lost, none twice     holds
     deadlock    there is always something to do                                         holds
     arrives     messages are taken infinitely often                                     violated: nobody said that the
                                                                                         channels deliver anything at all
     fair        ... if both channels deliver infinitely often                           holds
     unlost      nothing is ever lost: meant to fail, this is what the thief is for      violated

   riata check models/abp.pml
   riata check models/abp.pml -p arrives --msc                    the run as a message sequence chart */

#define MESSAGES 3  /* numbers of messages go round */

mtype = { data, ack };
chan forth = [1] of { mtype, byte, bit };
chan back = [1] of { mtype, bit };

bool took;       /* the last step of the receiver took a message */
bool delivered;  /* the last step of the receiver received one, old or new */
bool confirmed;  /* the last step of the sender received a confirmation */
bool lost;       /* the last step of the thief lost a message */

active proctype Sender() {
  byte number;
  bit mine, other;
  do
  :: atomic { nfull(forth) -> forth!data, number, mine; confirmed = false }
  :: atomic {
       back?ack, other -> confirmed = true;
       if
       :: other == mine -> mine = 1 - mine; number = (number + 1) % MESSAGES
       :: else  /* an old confirmation */
       fi
     }
  od
}

active proctype Receiver() {
  byte number, expected;
  bit its, last = 1;
  do
  :: atomic {
       forth?data, number, its -> delivered = true;
       if
       :: its != last -> assert(number == expected); took = true; last = its; expected = (expected + 1) % MESSAGES
       :: else -> took = false  /* once more the same */
       fi
     }
  :: atomic { nfull(back) -> back!ack, last; took = false; delivered = false }
  od
}

/* Steals what it finds. */
active proctype Thief() {
  do
  :: atomic { forth?data, _, _ -> lost = true }
  :: atomic { back?ack, _ -> lost = true }
  :: lost -> lost = false
  od
}

ltl arrives { []<> took }
ltl fair { ([]<> delivered && []<> confirmed) -> []<> took }
ltl unlost { [] !lost }
