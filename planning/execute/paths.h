#ifndef MEMPLAN_PLANNING_EXECUTE_PATHS_H
#define MEMPLAN_PLANNING_EXECUTE_PATHS_H

#include "core/scratch.h"
#include "planning/graph/graph.h"

/* The paths through a graph and their numbers. A path's number is read as digits, one for each
   operator of a region in turn, whose base is the number of paths through that operator: the sum
   over the branches of an If; for a loop, the sum over its turn counts of the paths through the
   body to the power of the count, since each turn may take a different path. */

enum { EXECUTE_MOST_TURNS = 3 };

/* How many turns of a loop are run: its trip_count, but at most EXECUTE_MOST_TURNS; any number up
   to that where the trip_count is not known. */
struct execute_turns {
    uint32_t least, most;
};
struct execute_turns execute_paths_turns(const struct graph *graph, uint32_t loop);

struct execute_paths {
    const struct graph *graph;
    uint64_t *of_operator; /* [operators] */
    uint64_t *of_region;   /* [regions] */
    uint64_t total;        /* UINT64_MAX also where there are more */
};

enum execute_event_kind {
    EXECUTE_PLAIN, /* an operator without regions runs */
    EXECUTE_ENTER, /* an operator with regions is entered */
    EXECUTE_TURN,  /* a turn of a loop has ended */
    EXECUTE_LEAVE, /* an operator with regions is left */
};

struct execute_event {
    enum execute_event_kind kind;
    uint32_t op;
    uint32_t region; /* the one that an If takes, else GRAPH_NONE */
    uint32_t turns;  /* that a loop makes, else 0 */
};

/* Called for each event; false ends the path. */
typedef bool execute_visit(void *context, const struct execute_event *event);

/* They live as long as the scratch. O(graph). */
enum status execute_paths_create(struct execute_paths *paths, const struct graph *graph,
                                 struct scratch *scratch, struct error *error);

/* Goes along the path of this number, which is below total; total is less than UINT64_MAX. False
   when visit ended the path. */
bool execute_paths_follow(const struct execute_paths *paths, uint64_t number, execute_visit *visit,
                          void *context);

/* Goes along the path of these choices, each made when it is met. */
struct execute_choices {
    uint32_t (*branch)(void *context, uint32_t o); /* returns a region of the operator */
    uint32_t (*turns)(void *context, uint32_t o);
    void *context;
};
bool execute_paths_choose(const struct execute_paths *paths, const struct execute_choices *choices,
                          execute_visit *visit, void *context);

#endif
