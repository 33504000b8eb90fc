#ifndef MEMPLAN_SOLVERS_EXACT_COMPONENT_H
#define MEMPLAN_SOLVERS_EXACT_COMPONENT_H

#include "solvers/exact/learn/learn.h"
#include "solvers/exact/race/race.h"

/* In which components clauses are learned, beside those that only the search that learns can do. */
enum exact_learning {
    EXACT_LEARN_RARELY, /* in no others */
    EXACT_LEARN_BESIDE, /* in small ones, in turns with the race */
    EXACT_LEARN_ALONE,  /* in all; there is no race */
};

struct exact_component_options {
    struct exact_race_options race;
    struct exact_learn_options learn;
    enum exact_learning learning;
};

/* All rules and all strategies, and no learning but where nothing else can be done. */
struct exact_component_options exact_component_defaults(uint32_t threads);

/* A problem that does not fall apart, and how far its search has come. All bytes in units. */
struct exact_component {
    struct exact_model *model;
    struct exact_race *race;   /* or NULL; without the two it is too large for the only search */
    struct exact_learn *learn; /* that suits it, and there is none */
    uint32_t learn_from;       /* the first round in which it learns */
    uint64_t *offset;          /* [buffers] of the best plan */
    uint64_t *trial;           /* [buffers] of the plan just found */
    uint64_t peak;             /* of the best plan; UINT64_MAX for none yet */
    uint64_t bound;            /* no plan of the whole problem has a lower peak */
    uint32_t descents;         /* how often it came down from the best plan */
    bool paused;               /* in the midst of its round */
    /* Where it is in its round. descends: it is on the way down from the best plan, no longer at
       the bound. asks: a pause interrupted the question whether a plan fits the capacity. */
    bool descends, asks;
    uint64_t capacity, step, least_step, lower;
};

/* What is asked for, in bytes: a plan that fits the capacity; or, to minimise, the lowest plan,
   which is of use only where it is below ceiling_bytes, and need not be below enough_bytes. */
struct exact_goal {
    bool minimise;
    uint64_t capacity_bytes, ceiling_bytes, enough_bytes;
    uint64_t deadline_ns; /* UINT64_MAX for none */
    uint64_t pause_ns;    /* from when on it may pause in its round; UINT64_MAX for never */
    /* Called when the component's peak or bound has changed; first_plan: it had no plan before. */
    enum status (*note)(void *context, const struct exact_component *component, bool first_plan,
                        struct error *error);
    void *context;
};

/* bound_bytes: a lower bound that is proved of the whole problem, whose component this is. */
enum status exact_component_create(const struct problem *problem, uint64_t bound_bytes,
                                   const struct exact_component_options *options,
                                   struct exact_component **component, struct error *error);
void exact_component_free(struct exact_component *component); /* NULL is fine */
SCOPED_POINTER(struct exact_component, exact_component_release, exact_component_free);

uint64_t exact_component_bound_bytes(const struct exact_component *component);
uint64_t exact_component_peak_bytes(const struct exact_component *component);

/* Adds what all its searches counted. */
void exact_component_count(const struct exact_component *component,
                           uint64_t counter[SEARCH_COUNTERS]);

/* True where the goal has its answer: a plan that does, or the proof that there is none. */
bool exact_component_is_done(const struct exact_component *component,
                             const struct exact_goal *goal);

/* Searches one more round, of twice the effort of the one before, or a part of it, where it pauses.
   Then the next call for the same round continues as if there had been no pause, but drops a
   question that has been answered in the meantime. */
enum status exact_component_advance(struct exact_component *component,
                                    const struct exact_goal *goal, uint32_t round,
                                    struct error *error);

#endif
