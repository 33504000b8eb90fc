#ifndef MEMPLAN_RESULTS_STORE_ROW_H
#define MEMPLAN_RESULTS_STORE_ROW_H

#include <stdint.h>

/* One job's outcome. It knows nothing of planners or graphs: a row is texts and integers, so a new
   program can read an old store. The fields, and which of them are its key, are in columns.def. */
struct result_row {
#define TEXT(name, key, version) const char *name;
#define INTEGER(name, key, version) uint64_t name;
#include "results/store/columns.def"
#undef TEXT
#undef INTEGER
};

/* One run: its label, when and how it was made, and on which machine. */
struct run_row {
#define TEXT(name, key, version) const char *name;
#define INTEGER(name, key, version) uint64_t name;
#include "results/store/run_columns.def"
#undef TEXT
#undef INTEGER
};

/* The words in a row on which its readers depend; all others are only shown.
   tests/harness/rows/test_record.c compares them with the names that planners and checks use. */
#define RESULT_OPTIMAL "optimal"
#define RESULT_FEASIBLE "feasible"
#define RESULT_INFEASIBLE "infeasible"
#define RESULT_ERROR "error"
#define RESULT_VALID "valid"
#define RESULT_INTACT "intact"
#define RESULT_SAMPLED                                                                             \
    "sampled" /* of a check: nothing is wrong on the paths it looked at, not all */
#define RESULT_DAMAGED "damaged"
#define RESULT_STATIC "static"
#define RESULT_RUN_TIME "run-time" /* what is read at an address depends on the branch taken */
#define RESULT_PROOF_NONE "none"
#define RESULT_PROOF_LOGGED "logged"     /* nothing has checked the log */
#define RESULT_PROOF_CHECKED "checked"   /* memplan-check accepts it */
#define RESULT_PROOF_VERIFIED "verified" /* so does the checker that is proved right */
#define RESULT_PROOF_REFUSED "refused"   /* one of them does not */
#define RESULT_PROBLEM "problem"
#define RESULT_BUILT_IN "built-in"
#define RESULT_STORED "stored" /* order_name of a graph whose operators nobody reordered */

/* A buffer's place over time, for the layout plots: steps [lower, upper), bytes [offset, offset +
   size). group is 0 for the outer level, else the region, or RESULT_TIMELESS for a buffer that is
   live at no step, whose columns lie behind the last; block marks memory that the regions of one
   operator share. */
#define RESULT_TIMELESS UINT32_MAX
struct result_rectangle {
    const char *label;
    uint64_t lower, upper, offset, size, group;
    int block;
};

#endif
