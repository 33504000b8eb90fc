#ifndef MEMPLAN_CLI_REPRODUCE_REPRODUCTION_H
#define MEMPLAN_CLI_REPRODUCE_REPRODUCTION_H

#include "cli/reproduce/recorder.h"
#include "plots/report/report.h"

/* A paper or a question that memplan reproduce answers: the runs that are needed, and the tables
   and figures made from them. To add one: a file that defines `const struct reproduction
   reproduction_NAME`, and a row in cli/reproduce/reproductions.def. */
struct reproduction {
    const char *name, *title;
    const char *paragraph; /* a source's is a sentence that says what came out */
    const char *page; /* of docs/, without folder and extension: says in its own order what a source
                         says, and where its tables and figures are shown; or NULL */
    const char *suite;    /* NULL for a reproduction that only builds on others */
    const char *hardware; /* the profile on which weights are transferred; NULL for none */
    const char *source;  /* its figures (results/views/figures.h) are counted at the end; or NULL */
    const char *counted; /* what its figures are called; NULL for "published figures" */
    /* As on the command line; NULL for the default, or for no plans if there are measures. */
    const char *planners, *policies;
    /* Names, NULL after the last; NULL for none. A source's first table is of its verdicts. */
    const char *const *tables, *const *plots;

    uint64_t capacity_bytes, time_limit_ns; /* of plans; 0 for none and for that of the command */

    /* Records one instance of the suite; NULL for none. The topic is the reproduction's name unless
       the function sets another one. */
    void (*measure)(struct recorder *recorder);
    /* Reproductions that are made before this one, since it needs their results; or NULL. */
    const char *const *builds_on;
    /* Records measures of all instances together, after those of each; NULL for none. */
    void (*conclude)(struct recorder *recorder);
    /* Figures that are not made from stored results, NULL after the last, and what adds one. */
    const char *const *figures;
    enum status (*illustrate)(const char *figure, struct report *report, struct error *error);
    bool is_apart;    /* answers no source: made only where it is named */
    bool shows_times; /* measures times, so no two plans may be made at the same time */
};

uint32_t reproduction_count(void);
const struct reproduction *reproduction_at(uint32_t index);

/* Whether one of the names, NULL after the last or at all, is this one. */
bool reproduction_names(const char *const *names, const char *name);

#endif
