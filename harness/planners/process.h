#ifndef MEMPLAN_HARNESS_PLANNERS_PROCESS_H
#define MEMPLAN_HARNESS_PLANNERS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

/* A program that is run to its end, with a limit. */

enum { PROCESS_COMPLAINT_BYTES = 600 };

struct process_result {
    bool out_of_time;                        /* it was killed at its limit */
    int exit_code;                           /* where signal is 0 */
    int signal;                              /* that ended it, or 0 */
    char complaint[PROCESS_COMPLAINT_BYTES]; /* the end of its standard error, on one line */
};

/* Runs the program words[0] (looked up in PATH; words ends in NULL) in the current folder and in a
   process group of its own, which is killed at the limit and when the program itself has ended. It
   reads nothing and what it prints is thrown away. Fails with STATUS_BAD_INPUT where it cannot be
   started. May be called by several threads. */
enum status process_run(char *const *words, uint64_t time_limit_ns, struct process_result *result,
                        struct error *error);

#endif
