#ifndef MEMPLAN_RESULTS_COMPARE_COMPARISON_H
#define MEMPLAN_RESULTS_COMPARE_COMPARISON_H

#include <stdbool.h>

#include "results/compare/statistics.h"
#include "results/store/query.h"

/* Compares two sides of results job by job: what is better and what is worse on the second side.
   Bytes and counters are compared exactly, times by their samples. */

/* The usual threshold: ratios of times that are nearer to 1 count as equal. */
#define COMPARISON_TIME_THRESHOLD 0.05

/* The two sides of a comparison and how they are compared. */
struct comparison_sides {
    const struct result_set *set[2];
    const char *name[2];   /* as tables call the two sides */
    bool across_planners;  /* rows are matched even if their planners differ */
    double time_threshold; /* ratios of times nearer to 1 than 1 + this count as equal */
    double tolerance;      /* a peak that is worse by at most this share does not count as a loss */
    /* The tolerance for a search that was not finished, that is, one with nodes but no proof: its
       peak depends on the time that it had. */
    double search_tolerance;
    bool judges_nodes;     /* whether a search counts as worse if it needs more nodes to its end */
    double node_tolerance; /* this counts only if it needs more additional nodes than this share */
};

/* How the second side stands against the first. */
enum comparison_verdict {
    COMPARISON_TIE,
    COMPARISON_WIN,
    COMPARISON_LOSS,
    COMPARISON_NONE, /* neither side has a figure */
    COMPARISON_VERDICTS
};

/* What is compared: peaks, times, and the nodes of searches. */
enum comparison_figure { COMPARISON_BYTES, COMPARISON_TIME, COMPARISON_NODES, COMPARISON_FIGURES };

struct comparison_pair {
    /* The rows of the same job on both sides. Repetitions are one job: a row without a plan that
       counts stands for them, if there is any, else that with the lower median of the peaks. */
    const struct result_row *row[2];
    uint64_t wall_ns[2]; /* medians over all repetitions */
    /* The kind of failure (failure.h) of the second side where the first did not fail, else
       FAILURE_KINDS. */
    unsigned failure;
    /* By bytes, a valid plan wins against no plan, and where there are no plans, an answer such as
       "infeasible" wins against a failure. By time, one side wins only where the samples' intervals
       do not overlap. By nodes, one side wins only where its search was finished and the other was
       finished too or already has more nodes. */
    enum comparison_verdict verdict[COMPARISON_FIGURES];
    double log_ratio[COMPARISON_FIGURES]; /* of second / first; 0 where one is missing */
    /* Whether both sides have the figure; for nodes, whether both searches were finished. */
    bool has[COMPARISON_FIGURES];
};

/* All pairs of one content that have bytes on both sides. */
struct comparison_instance {
    const char *name;
    uint32_t jobs;
    double log_bytes; /* mean */
};

/* All pairs of one planner of the second side. */
struct comparison_planner {
    const char *name;
    uint32_t pairs, verdicts[COMPARISON_FIGURES][COMPARISON_VERDICTS];
    uint32_t failures; /* of the second side where the first did not fail; also losses by bytes */
    uint32_t with[COMPARISON_FIGURES];    /* pairs that have the figure */
    double log_ratio[COMPARISON_FIGURES]; /* sums over these */
};

struct comparison {
    const struct comparison_sides *sides;
    uint32_t pairs, unmatched[2]; /* jobs without a partner on the other side */
    /* Unmatched jobs whose instance has the same name but another content on the other side. */
    uint32_t changed;
    struct comparison_pair *pair; /* [pairs] by instance, policy, planner, options, seed */
    uint32_t verdicts[COMPARISON_FIGURES][COMPARISON_VERDICTS]; /* number of pairs with each */
    uint32_t found[2];        /* pairs where only this side has a valid plan */
    uint32_t nodes_differ;    /* pairs whose searches visited different numbers of nodes */
    uint32_t counters_differ; /* pairs of finished searches with different counters */
    struct comparison_instance *instance; /* [instances] */
    struct comparison_planner *planner;   /* [planners] by name */
    uint32_t planners;
    size_t planner_capacity;
    uint32_t instances;     /* different contents among the pairs with bytes on both sides */
    uint32_t better, worse; /* of these, by the mean ratio of their bytes */
    /* Ratios second / first, geometric means over instances (each counts once, however many rows it
       has), with intervals: NAN without an instance, from 0 to INFINITY with one. */
    struct statistics_interval ratio[COMPARISON_FIGURES];
    /* The probability that a result over instances as uneven as this one is mere chance. */
    double sign_p, rank_p;
};

/* Matches the jobs and fills *comparison, which refers to the sides and their sets. Jobs match by
   content, policy, planner (unless across planners), options and seed; repetitions are one job.
   O(rows log rows). Free with comparison_free. */
enum status comparison_create(const struct comparison_sides *sides, struct comparison *comparison,
                              struct error *error);
void comparison_free(struct comparison *comparison);

/* Whether the second side is worse. If rows are matched across planners, that is the case where the
   mean ratio of bytes is above 1 + tolerance; else where any pair is a loss by bytes or, where they
   are judged, by nodes. */
bool comparison_is_worse(const struct comparison *comparison);

/* Whether any pair of the planner is better or worse by bytes or, where they are judged, worse by
   nodes. */
bool comparison_planner_changed(const struct comparison *comparison,
                                const struct comparison_planner *planner);

#endif
