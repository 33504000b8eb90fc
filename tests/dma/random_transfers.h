#ifndef MEMPLAN_TESTS_DMA_RANDOM_TRANSFERS_H
#define MEMPLAN_TESTS_DMA_RANDOM_TRANSFERS_H

#include "core/random.h"
#include "dma/planned/front.h"

/* Random graphs whose operators have weights and times, on a random chip. */
struct random_transfers_kind {
    uint32_t operators; /* about so many */
    uint32_t depth;     /* of regions in regions */
    bool loops;
    uint32_t most_weighted; /* at most so many weighted operators */
    bool start_costs;       /* start-up, instructions and contention cost something */
    bool turns;             /* loops have trip counts and branches probabilities */
};

struct random_transfers {
    struct graph *graph;
    struct hardware hardware;
    struct transfer_regions *regions;
    struct transfer_costs *costs;
    struct schedule_space *space; /* once it was asked for */
};

/* Anything that fails ends the test case. The struct stays where it is until it is cleared. */
void random_transfers_create(struct random_state *random, const struct random_transfers_kind *kind,
                             struct random_transfers *transfers);
/* The same of a graph, which becomes theirs, on a chip where a byte takes a ns. */
void random_transfers_of(struct graph *graph, struct random_transfers *transfers);
void random_transfers_clear(struct random_transfers *transfers);

/* Whether any run reaches a region: no loop of no turns is around it. */
bool random_transfers_reach(const struct transfer_regions *regions, uint32_t r);

/* All schedules of them, which belong to them. */
struct schedule_space *random_transfers_space(struct random_transfers *transfers);

/* How long a program takes, and that of a mode. */
struct transfer_times random_transfers_measure(const struct random_transfers *transfers,
                                               const struct transfer_program *program);
struct transfer_times random_transfers_measure_mode(const struct random_transfers *transfers,
                                                    const char *name, uint32_t buffers);
/* The program of a mode, which the caller frees. */
struct transfer_program *random_transfers_program(const struct random_transfers *transfers,
                                                  const char *name, uint32_t buffers);

/* A task on them without limits, whose planner gives each buffer, in the order of the problem, the
   lowest offset that is free. */
struct planned_task random_transfers_task(const struct random_transfers *transfers);

#endif
