#ifndef MEMPLAN_ORDERING_CLASSES_STRINGS_H
#define MEMPLAN_ORDERING_CLASSES_STRINGS_H

#include "core/scratch.h"
#include "planning/order/order_view.h"

/* Strings of operators that are best run one right after another, as Monma and Sidney (1979) and
   Liu (1987) merge them: where every operator changes the live bytes by the same amount whatever
   ran before, a piece of a string has a peak, the most bytes that it takes beyond those live before
   it, and a net, the bytes by which it changes these. The pieces of a string are sorted so that
   merging strings gives a best order: first those that leave no more bytes live than before, by
   peak, the least first; then the others, by peak less net, the greatest first. They are kept in a
   tree by that order, which is a heap by random numbers of the pieces: a treap (Seidel and Aragon
   1996). */

enum strings_side { STRINGS_BEFORE, STRINGS_AFTER };

struct strings_piece {
    int64_t peak_bytes, net_bytes;
    uint32_t last;     /* last operator of the piece, which is numbered by its first operator */
    uint32_t child[2]; /* subtrees of the pieces before and after it, ORDER_NONE */
    uint32_t root;     /* root of the tree of the string that has this operator's number */
};

struct strings {
    const struct order_view *view;
    struct strings_piece *piece; /* [operators] */
    uint32_t *next_op;           /* [operators] that runs right after it within its piece */
};

/* Makes a string of one piece for each operator. *is_constant: whether each operator changes the
   live bytes by the same amount whatever ran before. If not, strings mean nothing. O(uses). */
enum status strings_create(const struct order_view *view, struct strings *strings,
                           bool *is_constant, struct scratch *scratch, struct error *error);

/* Joins the strings with the numbers of two operators into one, which keeps the first number: one
   string after the other, or side by side. All joins together are O(operators log operators)
   expected. */
void strings_join_in_series(struct strings *strings, uint32_t a, uint32_t b);
void strings_join_in_parallel(struct strings *strings, uint32_t a, uint32_t b);

/* Fills permutation[] with the operators of a string in their order; returns how many. The string
   is empty afterwards. */
uint32_t strings_list(struct strings *strings, uint32_t a, uint32_t *permutation);

#endif
