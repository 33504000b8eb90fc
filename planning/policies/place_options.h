#ifndef MEMPLAN_PLANNING_POLICIES_PLACE_OPTIONS_H
#define MEMPLAN_PLANNING_POLICIES_PLACE_OPTIONS_H

#include "core/scratch.h"
#include "planning/liveness/result_places.h"

/* The tensors of a graph that may be placed in two ways, and which of them a variant chooses for
   each: where operators with regions move a value, the target coincides with it or gets a copy; a
   result has no place of its own or has one. An option that is put aside is copied in every variant
   that does not set it. */

/* The moves into a tensor for which it coincides with its value. */
enum place_coinciding {
    PLACE_COINCIDES_FIRST = 1, /* an argument, on its init */
    PLACE_COINCIDES_LATER = 2, /* an argument, on what a turn yields for it */
    PLACE_COINCIDES = 3,       /* a result or argument, in all of them */
};

struct place_options {
    const struct graph *graph;
    bool selects;   /* a result of an If may have no place, where the variant chooses so */
    uint32_t *same; /* [tensors] the tensor whose value each always has, from same_values_create */
    uint32_t *tensor;    /* [all] that may be placed in two ways */
    uint8_t *coinciding; /* [all] of enum place_coinciding; 0: a result that may have no place */
    uint32_t all;
    uint32_t count;   /* the number of options that are not put aside, which come first */
    uint32_t passing; /* how many of the first options are about a value that a loop, or a branch
                         that did not make it, passes through */
    struct graph_moves moves;
    bool
        *coincides; /* [moves] whether its target coincides with its source in the chosen variant */
    bool *unplaced; /* [tensors] whether each has no place in the chosen variant */
    struct scratch memory; /* that holds the arrays but `same` */
};

/* Lists the options, all set to copied. The caller calls place_options_clear, also after an
   error. */
enum status place_options_create(const struct graph *graph, bool selects,
                                 struct place_options *options, struct error *error);
void place_options_clear(struct place_options *options);

/* Chooses for one option, or for all that are not put aside, whether it is copied. */
void place_options_set(struct place_options *options, uint32_t option, bool copied);
void place_options_set_all(struct place_options *options, bool copied);

/* Puts one option aside: it moves to the end of the list, behind the first `count`, and keeps its
   setting. */
void place_options_put_aside(struct place_options *options, uint32_t option);

/* Whether some option is about a tensor that coincides with its value. */
bool place_options_any_coincide(const struct place_options *options);

bool place_options_is_result(const struct graph *graph, uint32_t tensor); /* of an If */

/* *twice: some value is moved into two places at once. It could coincide with one of the two and
   be copied to the other, which no option says. O(graph). */
enum status place_options_moved_twice(const struct place_options *options, bool *twice,
                                      struct error *error);

#endif
