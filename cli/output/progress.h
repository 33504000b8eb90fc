#ifndef MEMPLAN_CLI_OUTPUT_PROGRESS_H
#define MEMPLAN_CLI_OUTPUT_PROGRESS_H

#include "harness/run/matrix.h"

/* Reports the progress of a matrix on standard error: on a terminal one line that is overwritten,
   else one line for each job, or of many for each hundredth part. Failures always get a line. At
   the end the failures are repeated: the first PROGRESS_FAULTS, each with what is wrong with its
   plan, then the number of the others. */
enum { PROGRESS_FAULTS = 20, PROGRESS_FAULT_BYTES = 768 };
struct progress {
    bool terminal;
    bool is_brief; /* set behind progress_start: off a terminal only failures have lines */
    uint64_t began_ns;
    uint64_t orders_ns; /* that the orders took which were found before */
    char fault[PROGRESS_FAULTS][PROGRESS_FAULT_BYTES]; /* of the first jobs that failed */
    uint32_t faults;                                   /* number of jobs that failed */
};

/* Notes the time and whether standard error is a terminal. */
struct progress progress_start(void);
void progress_report(void *progress, const struct matrix_progress *now); /* a matrix_report */
/* From now on Ctrl-C says on standard error, before it ends the program, how the run is taken up
   again: by the same command, `with` an option or, where it is empty, as it is. */
void progress_advise_on_interrupt(const char *with);
/* Prints the counts and the faults. */
void progress_end(const struct progress *progress, const struct matrix_progress *now);

#endif
