#ifndef MEMPLAN_RESULTS_COMPARE_COMPARISON_H
#define MEMPLAN_RESULTS_COMPARE_COMPARISON_H

#include <stdbool.h>

#include "results/compare/statistics.h"
#include "results/store/query.h"

/* Two sides of results, job by job: what got better and worse from the first to the second. Bytes
   and counters are compared exactly, times by their samples. */

/* Ratios of times nearer to 1 are not worth telling, where nobody says otherwise. */
#define COMPARISON_TIME_THRESHOLD 0.05

/* What is compared with what. */
struct comparison_sides {
    const struct result_set *set[2];
    const char *name[2];     /* as tables call the two sides */
    bool across_planners;    /* rows are matched whatever their planner; else by planner too */
    double time_threshold;   /* a ratio of times nearer to 1 than 1 + this is no difference */
    double tolerance;        /* a peak worse by at most this share is not counted as a loss */
    double search_tolerance; /* the same where a search was not finished, whose peak depends on the
                                time it had: nodes, but no proof */
    bool judges_nodes;       /* a search that visits more nodes to its end is worse */
    double node_tolerance;   /* where that share more is none */
};

/* How the second side stands against the first. */
enum comparison_verdict {
    COMPARISON_TIE,
    COMPARISON_WIN,
    COMPARISON_LOSS,
    COMPARISON_NONE, /* neither side has a figure */
    COMPARISON_VERDICTS
};

struct comparison_pair {
    const struct result_row *row[2]; /* the same job on both sides */
    enum comparison_verdict bytes;   /* a valid plan wins against none */
    enum comparison_verdict time;    /* only where the samples' intervals do not overlap */
    enum comparison_verdict nodes;   /* where a finished search stands against another one, finished
                                        or already longer */
    double log_bytes, log_time, log_nodes; /* logarithm of second / first; 0 where one is missing */
    bool has_bytes, has_time, has_nodes;   /* both sides have the figure, of nodes: at their end */
};

/* All pairs of one content that have bytes on both sides. */
struct comparison_instance {
    const char *name;
    uint32_t jobs;
    double log_bytes; /* mean */
};

struct comparison {
    const struct comparison_sides *sides;
    uint32_t pairs, unmatched[2]; /* rows that only one side has */
    uint32_t changed;             /* of those: same names, but the instance's content differs */
    struct comparison_pair *pair; /* [pairs] by instance, policy, planner, options, seed */
    uint32_t bytes[COMPARISON_VERDICTS], time[COMPARISON_VERDICTS],
        nodes[COMPARISON_VERDICTS]; /* pairs per comparison_verdict */
    uint32_t found[2];              /* pairs where only this side has a valid plan */
    uint32_t nodes_differ;          /* pairs whose searches visited other numbers of nodes */
    uint32_t counters_differ;       /* pairs of finished searches whose counters are not the same */
    struct comparison_instance *instance; /* [instances] */
    uint32_t instances;     /* different contents among the pairs with bytes on both sides */
    uint32_t better, worse; /* of these, by their mean ratio of bytes */
    /* Ratios second / first, geometric means over instances (each counts once, however many rows it
       has), with intervals; 1 where there is none. */
    struct statistics_interval bytes_ratio, time_ratio, nodes_ratio;
    double sign_p, rank_p; /* over instances: that so uneven a result is luck */
};

/* Matches the rows and fills *comparison, which refers to the sides and their sets. Rows match by
   content, policy, planner (unless across planners), options, seed and repetition. O(rows log
   rows). Free with comparison_free. */
enum status comparison_create(const struct comparison_sides *sides, struct comparison *comparison,
                              struct error *error);
void comparison_free(struct comparison *comparison);

/* Whether the second side is worse: across planners where its mean ratio of bytes is above 1 +
   tolerance, else where any pair is a loss by bytes or, where they are judged, by nodes. */
bool comparison_is_worse(const struct comparison *comparison);

#endif
