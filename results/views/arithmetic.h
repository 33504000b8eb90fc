#ifndef MEMPLAN_RESULTS_VIEWS_ARITHMETIC_H
#define MEMPLAN_RESULTS_VIEWS_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

/* The arithmetic of a source: what follows from the figures that it prints. A computed figure names
   an operation and, separated by " & ", its operands: names of figures in the same place, or
   "PLACE | NAME".

       sum       all of them together
       mean      their mean
       value     the first one
       change    the distance between the first and the second, which have the figure's unit
       ratio     first / second                              in millionths, as the next two
       saving    (first - second) / first
       gain      (second - first) / first
       overlap   1 if the steps from the first to the second and from the third to the fourth have
                 one in common, 0 if not

   "greatest OPERATION", "least", "mean" and "median" are those of the operation's values over all
   figures of the first operand's place. The operands are ends of names then: with ": before & :
   after", "A: before" and "A: after" make one value, and so do those of B. */

struct arithmetic {
    const char *source, *place, *unit; /* of the figure that is computed */
    const char *operation, *operands;
};

/* Computes the figure. False for an unknown operation, for operands that are not printed, and where
   nothing can be divided. */
bool arithmetic_compute(const struct arithmetic *arithmetic, int64_t *computed);

#endif
