/* The sliding tiles on R rows of C: half of all (R * C)! arrangements can be reached. 3 * 4 has 239,500,800 states. */
#ifndef R
#define R 2
#endif
#ifndef C
#define C 4
#endif
/* For wide states: -D CELL=int -D W=1000003 */
#ifndef CELL
#define CELL byte
#endif
#ifndef W
#define W 1
#endif
#define CELLS (R * C)
CELL cell[CELLS];
unsigned hole : 4;

#define MOVE(to) cell[hole] = cell[to]; cell[to] = 0; hole = to

init {
  unsigned i : 4;
  d_step {
    do
    :: i < CELLS - 1 -> cell[i] = (i + 1) * W; i++
    :: else -> break
    od;
    hole = CELLS - 1;
    i = 0
  }
  do
  :: d_step { hole % C != 0 -> MOVE((hole - 1)) }
  :: d_step { hole % C != C - 1 -> MOVE((hole + 1)) }
  :: d_step { hole >= C -> MOVE((hole - C)) }
  :: d_step { hole < CELLS - C -> MOVE((hole + C)) }
  od
}
