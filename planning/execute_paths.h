#ifndef MEMPLAN_PLANNING_EXECUTE_PATHS_H
#define MEMPLAN_PLANNING_EXECUTE_PATHS_H

#include "core/random.h"
#include "planning/graph.h"

/* The paths through a graph and their numbers. A path's number is read as digits, one for each
   operator of a region in turn, whose base is the number of paths through that operator: the sum
   over the branches of an If, four turn counts times the paths through the body of a loop, whose
   turn j goes the path j further than its first. */

enum { EXECUTE_MOST_TURNS = 3 };

struct execute_paths {
    const struct graph *graph;
    uint64_t *of_operator; /* [operators] */
    uint64_t *of_region;   /* [regions] */
    uint64_t total;        /* UINT64_MAX for that many or more */
};

enum execute_moment {
    EXECUTE_PLAIN, /* an operator without regions runs */
    EXECUTE_ENTER, /* an operator with regions is entered */
    EXECUTE_TURN,  /* a turn of a loop has ended */
    EXECUTE_LEAVE, /* an operator with regions is left */
};

struct execute_event {
    enum execute_moment moment;
    uint32_t operator;
    uint32_t region; /* the one that an If takes, else GRAPH_NONE */
    uint32_t turns;  /* that a loop makes, else 0 */
};

/* Called at each moment; false ends the path. */
typedef bool execute_visit(void *context, const struct execute_event *event);

/* Leaves *paths fit for execute_paths_free. O(graph). */
enum status execute_paths_create(struct execute_paths *paths, const struct graph *graph,
                                 struct error *error);
void execute_paths_free(struct execute_paths *paths);

/* A path's number: below total, or any where total is UINT64_MAX and the digits would not fit;
   there the number seeds the choices instead. */
uint64_t execute_paths_sample(const struct execute_paths *paths, struct random_state *random);

/* Goes along a path; false when visit ended it. */
bool execute_paths_follow(const struct execute_paths *paths, uint64_t number, execute_visit *visit,
                          void *context);

#endif
