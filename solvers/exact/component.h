#ifndef MEMPLAN_SOLVERS_EXACT_COMPONENT_H
#define MEMPLAN_SOLVERS_EXACT_COMPONENT_H

#include "solvers/exact/learn/learn.h"
#include "solvers/exact/race/race.h"

/* The components in which clauses are learned, beside those that only the learning search can
   solve. */
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

/* All rules and all strategies, with learning only where the race cannot search the component. */
struct exact_component_options exact_component_defaults(uint32_t threads);

/* A problem that does not fall apart, and how far its search has come. All bytes in units. */
struct exact_component {
    struct exact_model *model;
    /* Where both are NULL, the component is too large for the only search that suits it. */
    struct exact_race *race;
    struct exact_learn *learn;
    uint32_t learn_from; /* the first round in which it learns */
    uint64_t *offset;    /* [buffers] of the best plan */
    uint64_t *trial;     /* [buffers] of the plan just found */
    uint64_t peak;       /* of the best plan; UINT64_MAX for none yet */
    uint64_t bound;      /* no plan of the whole problem has a lower peak */
    uint32_t descents;   /* how often it went down from the best plan */
    bool paused;         /* inside a round */
    /* How far it is in its round. descends: it now goes down from the best plan, no longer up from
       the bound. asks: a pause interrupted the question whether a plan fits the capacity. */
    bool descends, asks;
    uint64_t capacity, step, least_step, lower;
};

/* What is asked for, in bytes: a plan that fits the capacity or, with minimise, the lowest plan.
   The latter is of use only if its peak is below ceiling_bytes, and enough_bytes is as good as any
   lower peak. */
struct exact_goal {
    bool minimise;
    uint64_t capacity_bytes, ceiling_bytes, enough_bytes;
    uint64_t deadline_ns; /* UINT64_MAX for none */
    uint64_t pause_ns; /* the time from which on it may pause in its round; UINT64_MAX for never */
    /* Called when the component's peak or bound has changed; first_plan: it had no plan before. */
    enum status (*note)(void *context, const struct exact_component *component, bool first_plan,
                        struct error *error);
    void *context;
};

/* bound_bytes: a proved lower bound of the whole problem, of which `problem` is a component. */
enum status exact_component_create(const struct problem *problem, uint64_t bound_bytes,
                                   const struct exact_component_options *options,
                                   struct exact_component **component, struct error *error);
void exact_component_free(struct exact_component *component); /* NULL is fine */
SCOPED_POINTER(struct exact_component, exact_component_release, exact_component_free);

uint64_t exact_component_bound_bytes(const struct exact_component *component);
uint64_t exact_component_peak_bytes(const struct exact_component *component);

/* Adds the counters of all its searches. */
void exact_component_count(const struct exact_component *component,
                           uint64_t counter[SEARCH_COUNTERS]);

/* Whether the goal is reached: there is a plan that meets it, or a proof that there is none. */
bool exact_component_is_done(const struct exact_component *component,
                             const struct exact_goal *goal);

/* Searches one more round, with twice the effort of the round before, or a part of it if it pauses.
   After a pause the next call for the same round continues as if there had been no pause, but drops
   a question that has been answered in the meantime. */
enum status exact_component_advance(struct exact_component *component,
                                    const struct exact_goal *goal, uint32_t round,
                                    struct error *error);

#endif
