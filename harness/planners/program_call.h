#ifndef MEMPLAN_HARNESS_PLANNERS_PROGRAM_CALL_H
#define MEMPLAN_HARNESS_PLANNERS_PROGRAM_CALL_H

#include "core/process/subprocess.h"
#include "core/text.h"
#include "harness/planners/program.h"

/* One call of a program, with its files. */
struct program_call {
    const struct program *program;
    uint64_t capacity_bytes, seed, time_limit_ns; /* UINT64_MAX: no time limit */
    char folder[4096];                            /* path of its folder, "" until there is one */
    int lock; /* descriptor of the folder, locked for as long as it is in use; -1 at first */
    struct text in, out; /* paths of the two files */
    struct subprocess_result result;
};

/* program_call_begin makes the folder, in which the caller then writes the file `in`;
   program_call_run runs the program to its end or its deadline. The call is ended by the caller,
   also after an error. */
enum status program_call_begin(struct program_call *call, struct error *error);
enum status program_call_run(struct program_call *call, struct error *error);
void program_call_end(struct program_call *call);

/* Removes the folders of earlier runs that were killed together with everything that they had
   started. */
void program_call_remove_unused(void);

/* Reads the file `out`, which the caller frees; `expected` says for the error what should be in
   it. */
enum status program_call_read(const struct program_call *call, const char *expected,
                              struct text *text, struct error *error);

/* Returns STATUS_BAD_INPUT with a text that says how the program ended. */
enum status program_call_report_end(const struct program_call *call, struct error *error);
/* Returns STATUS_BAD_INPUT with a text that says what is wrong with the file `out`. */
enum status program_call_report_output(const struct program_call *call, const struct error *found,
                                       struct error *error);

#endif
