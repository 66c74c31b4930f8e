byte n, m;
active proctype P() { do :: n++ :: m++ od }
