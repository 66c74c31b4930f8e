/* A claim that counts: the light changes at most twice. */
bit light;

active proctype Switch() { do :: light = 1 - light od }

never {
    byte changes;
    bit before;
    do
    :: atomic { light != before -> before = light; changes++ }
       if
       :: changes > 2 -> break
       :: else
       fi
    :: light == before
    od
}
