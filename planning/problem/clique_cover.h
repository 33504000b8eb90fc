#ifndef MEMPLAN_PLANNING_PROBLEM_CLIQUE_COVER_H
#define MEMPLAN_PLANNING_PROBLEM_CLIQUE_COVER_H

#include "planning/problem/pair.h"

/* Sets of buffers that conflict pairwise, in time or by a pair, which together hold every pair.
   Members of clique c: member[first[c] .. first[c + 1] - 1], each once. */
struct clique_cover {
    uint32_t count;
    uint64_t *first; /* [count + 1] */
    uint32_t *member;
    size_t first_capacity, member_capacity;
};

/* Greedy, after Conte, Grossi and Marino, "Clique covering of large real-world networks", SAC 2016:
   a pair that no clique holds starts one, which takes whatever conflicts with all of its members,
   first among the buffers that have pairs with the first two, then among those live at the same
   time, so that cliques are few and the load is high. The pairs are taken in the order of time.
   Gives up looking after a number of tests that grows with the pairs a clique covers: all is
   O(p log p) for p pairs of buffers of few segments.

   pair: in rising order, first < second, each once. The caller frees *cover, also where this
   fails. */
enum status clique_cover_create(const struct problem *problem, const struct problem_pair *pair,
                                size_t pairs, struct clique_cover *cover, struct error *error);
void clique_cover_free(struct clique_cover *cover);

#endif
