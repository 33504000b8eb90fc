#ifndef MEMPLAN_PLANNING_VERIFY_STREAMS_ORDER_H
#define MEMPLAN_PLANNING_VERIFY_STREAMS_ORDER_H

#include "core/scratch.h"
#include "planning/graph/graph.h"

/* The steps of one run of a graph on several streams, and for each step the steps that it waits
   for, as edges. This is the check's own order and shares no code with
   planning/graph/happens_before.h. A run chooses a region for each operator with branches, and
   whether each loop has a turn; later turns add nothing, since each begins when all of the turn
   before has ended. */
struct stream_run {
    const struct graph *graph;
    const uint32_t *choice; /* [operators] the region that runs; of a loop GRAPH_NONE: no turn.
                               NULL for the steps of all ways in one list, without the edges along
                               streams, on which other steps follow each other on each way */
    uint32_t steps;         /* of this run; edges lead to lower numbers */
    uint32_t *enter,
        *leave;       /* [operators] their steps, GRAPH_NONE where the run does not reach them */
    uint32_t *stream; /* [steps], GRAPH_NONE for the end of a region */
    uint32_t *region; /* [steps] that holds the step */
    uint32_t
        *region_end; /* [regions] for the run of all ways: the step that ends the region, before
                        which all that it holds has ended and after which its operator is left */
    size_t *first;   /* [steps + 1] into edge */
    uint32_t *edge;  /* steps that have ended when this one starts */
    uint32_t *last;  /* [streams] last step so far, GRAPH_NONE */
    size_t edges, edge_capacity;
    struct scratch scratch; /* of all but the edges */
    struct error *error;    /* of the present call */
};

/* Room for any run of the graph. */
enum status stream_run_create(const struct graph *graph, struct stream_run *run,
                              struct error *error);
void stream_run_free(struct stream_run *run);

/* Goes along the run of these choices, or of all ways. O(its operators and their inputs). */
enum status stream_run_follow(struct stream_run *run, const uint32_t *choice, struct error *error);
/* Whether the run takes the region when it reaches the region's operator. */
bool stream_run_takes(const struct stream_run *run, uint32_t region);

/* Whether the step `earlier` has always ended when `later` starts. */
struct stream_question {
    uint32_t earlier, later;
    uint32_t a, b; /* for the caller's own use */
    bool before;   /* the answer */
};

/* Answers all questions, and sorts them. O(steps with edges * (questions' earlier steps / 64))
   time, and 16 bytes for each step. */
enum status stream_run_answer(const struct stream_run *run, struct stream_question *question,
                              size_t questions, struct error *error);

#endif
