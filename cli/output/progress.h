#ifndef MEMPLAN_CLI_OUTPUT_PROGRESS_H
#define MEMPLAN_CLI_OUTPUT_PROGRESS_H

#include "harness/matrix.h"

/* Tells on standard error how far a matrix is: one line that is written over on a terminal, else
   one line a job. Failures always get a line, and at the end those that are at fault are said once
   more: the first PROGRESS_FAULTS with what is wrong with the plan, then how many more. */
enum { PROGRESS_FAULTS = 20, PROGRESS_FAULT_BYTES = 768 };
struct progress {
    bool terminal;
    uint64_t began_ns;
    char fault[PROGRESS_FAULTS][PROGRESS_FAULT_BYTES]; /* of the first jobs that failed */
    uint32_t faults;                                   /* jobs that failed */
};

struct progress progress_start(void);
void progress_report(void *progress, const struct matrix_progress *now); /* a matrix_report */
/* Prints the counts and the faults. */
void progress_end(const struct progress *progress, const struct matrix_progress *now);

#endif
