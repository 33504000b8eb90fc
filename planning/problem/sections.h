#ifndef MEMPLAN_PLANNING_PROBLEM_SECTIONS_H
#define MEMPLAN_PLANNING_PROBLEM_SECTIONS_H

#include "planning/problem/problem.h"

/* A section is a maximal run of steps with the same live set; sections whose live set is contained
   in a neighbour's (with the same or wider windows) say nothing new and are dropped.

       step      0 1 2 3 4 5        a = [0, 4), b = [1, 6), c = [3, 6)
       live      a ab ab abc bc bc  one section is left: {a, b, c} at step 3

   Members of section s: first[s] .. first[s + 1] - 1. */
struct sections {
    uint32_t count;
    uint32_t *step;    /* [count] a step at which the section holds */
    uint64_t *load;    /* [count] bytes: sum of the members' windows */
    uint64_t *first;   /* [count + 1] */
    uint32_t *member;  /* [first[count]] buffers, ascending in a section */
    uint32_t *segment; /* [first[count]] the member's live segment */
};

/* O(steps with events + sum of live sets). */
enum status sections_create(const struct problem *problem, struct sections **sections,
                            struct error *error);
void sections_free(struct sections *sections);
SCOPED_POINTER(struct sections, sections_release, sections_free);

#endif
