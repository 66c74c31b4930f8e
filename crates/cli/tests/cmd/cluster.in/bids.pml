/* Bidders outbid each other, and one of them believes that nobody goes further than she. */
byte price;
byte bids;

proctype Bidder(byte step; byte most) {
    do
    :: atomic { price + step <= most -> price = price + step; bids++ }
    :: price + step > most -> break
    od
}

init {
    run Bidder(1, 4);
    run Bidder(2, 7);
    (price == 7);
    assert(bids < 5)
}

ltl sold { <> (price >= 6) }
ltl cheap { [] (price < 6) }
