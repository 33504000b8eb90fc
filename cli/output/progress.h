#ifndef MEMPLAN_CLI_OUTPUT_PROGRESS_H
#define MEMPLAN_CLI_OUTPUT_PROGRESS_H

#include "harness/matrix.h"

/* Tells on standard error how far a matrix is: one line that is written over on a terminal, else
   one line a job. Failures always get a line. */
struct progress {
    bool terminal;
    uint64_t began_ns;
};

struct progress progress_start(void);
void progress_report(void *progress, const struct matrix_progress *now); /* a matrix_report */
void progress_end(const struct progress *progress, const struct matrix_progress *now);

#endif
