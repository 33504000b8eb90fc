#ifndef MEMPLAN_TESTS_PLACING_H
#define MEMPLAN_TESTS_PLACING_H

#include "planning/lowering/level.h"
#include "planning/sketch.h"

/* Placements of small graphs that can be worked out by hand. */

/* Fills the plan: every buffer in turn at the lowest multiple of its alignment that is free of
   those before it. */
enum status placing_first_fit(const struct problem *problem, struct plan *plan,
                              struct error *error);

/* Fills the plan with one of the lowest peak, by trying every offset of every buffer; for few and
   small ones. */
enum status placing_optimum(const struct problem *problem, struct plan *plan, struct error *error);

/* Places a finished sketch again, by first fit on every level. */
void placing_place(struct sketch *sketch, const char *policy, uint64_t alignment_bytes);

/* "x@0 t@4": the offsets of all tensors that have one, in the order of the sketch. */
void placing_expect_offsets(const struct sketch *sketch, const char *expected);
/* "outer:11@4 inner:9@4": size and offset of all blocks. */
void placing_expect_blocks(const struct sketch *sketch, const char *expected);
/* verify_paths finds it valid and execution intact, or neither. */
void placing_expect_safe(const struct sketch *sketch, bool safe);

/* Bytes and steps:

        0 outer                                      x 4 = [0, 1)
            then
            1 inner
                yes   2 left   p 6 = [2, 4)
                      3 half   s 3 = [3, 7)
                no    4 right  q 5 = [4, 7)
            5 leaves with i
            6 more: i          j 2 = [6, 11)
            else  7 other      k 7 = [7, 9)
                  8 small      l 1 = [8, 11)
        9 leaves with r
       10 last: r              y 3 = [10, 11)                    */
struct sketch placing_nested(void);

/* Bytes and steps:

        0 first                                      x 1 = [0, 1)
            then  1 large  t 4 = [1, 3)
                  2 small  u 2 = [2, 11)
            else  3 other  e 2 = [3, 11)
        4 leaves with r
        5 second
            yes   6 wide   v 6 = [6, 8)
                  7 thin   w 1 = [7, 11)
            no    8 thin2  f 1 = [8, 11)
        9 leaves with s
       10 last: r s                                  y 1 = [10, 11)  */
struct sketch placing_siblings(void);

/* Bytes and steps; the result r is outside the arena:

        0 choose                                     x 4 = [0, 1)
            then  1 large  t 6
            else  2 small  e 2
        3 leaves with r
        4 last: r                                    y 5 = [4, 5)  */
struct sketch placing_external(void);

/* Of x, t, a, b and y, one after another:

        0 choose                                     x
            then  1 make: x  t, yielded twice
            else             x, yielded twice
        2 leaves with a b
        3 last: a b                                  y  */
struct sketch placing_copies(const char *tensors);

#endif
