bit x; active proctype P() { do :: x = 1 - x od }
