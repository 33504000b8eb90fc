#ifndef MEMPLAN_HARNESS_PLANNERS_PROGRAM_CALL_H
#define MEMPLAN_HARNESS_PLANNERS_PROGRAM_CALL_H

#include "core/process/subprocess.h"
#include "core/text.h"
#include "harness/planners/program.h"

/* One call of a program. */
struct program_call {
    const struct program *program;
    uint64_t capacity_bytes, seed, time_limit_ns; /* UINT64_MAX: no time limit */
    char folder[4096];                            /* "" for none yet */
    int lock; /* descriptor of the folder, locked for as long as it is in use; -1 at first */
    struct text in, out; /* paths */
    struct subprocess_result result;
};

/* Makes the folder, for the file `in` to be written; then runs the program to its end or its
   deadline. The caller ends the call, also after an error. */
enum status program_call_begin(struct program_call *call, struct error *error);
enum status program_call_run(struct program_call *call, struct error *error);
void program_call_end(struct program_call *call);

/* Removes what was left by runs that were killed together with all that they had started. */
void program_call_remove_unused(void);

/* Reads the file `out`, which the caller frees; expected is what is in it, for the error. */
enum status program_call_read(const struct program_call *call, const char *expected,
                              struct text *text, struct error *error);

/* STATUS_BAD_INPUT that says how the program ended. */
enum status program_call_report_end(const struct program_call *call, struct error *error);
/* STATUS_BAD_INPUT that says what was found wrong with the file `out`. */
enum status program_call_report_output(const struct program_call *call, const struct error *found,
                                       struct error *error);

#endif
