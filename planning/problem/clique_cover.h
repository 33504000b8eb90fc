#ifndef MEMPLAN_PLANNING_PROBLEM_CLIQUE_COVER_H
#define MEMPLAN_PLANNING_PROBLEM_CLIQUE_COVER_H

#include "planning/problem/pair.h"

/* Sets of buffers, called cliques, whose members all conflict with each other, in time or by a
   given pair. Together the cliques hold every given pair. Members of clique c: member[first[c] ..
   first[c + 1] - 1], each once. */
struct clique_cover {
    uint32_t count;
    uint64_t *first; /* [count + 1] */
    uint32_t *member;
    size_t first_capacity, member_capacity;
};

/* Greedy, after Conte, Grossi and Marino, "Clique covering of large real-world networks", SAC 2016:
   a pair that no clique holds starts a clique, to which buffers are added that conflict with all of
   its members: first buffers that have pairs with the first two, then buffers that are live at the
   same time, so that cliques are few and the load is high. The pairs are taken in the order of
   time. A clique stops growing after a number of tests that depends on the pairs it covers, so that
   the total is O(p log p) for p pairs of buffers of few segments.

   pair: in rising order, first < second, each once. The caller frees *cover, also where this
   fails. */
enum status clique_cover_create(const struct problem *problem, const struct problem_pair *pair,
                                size_t pairs, struct clique_cover *cover, struct error *error);
void clique_cover_free(struct clique_cover *cover);

#endif
