#ifndef MEMPLAN_HARNESS_BROUGHT_PROGRAM_H
#define MEMPLAN_HARNESS_BROUGHT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/digest.h"
#include "core/process/subprocess.h"
#include "core/text.h"

/* A program that a user brings along as "name=command": it reads one file and writes another. In
   its command stand

     {in} {out}     the files' paths ({input} and {output} are the same)
     {capacity}     bytes, where there is one
     {seed}         a number
     {time_limit}   seconds, as a decimal fraction

   At the time limit it is killed with what it has started. The files are in a folder of the
   temporary directory, which is removed with them when the program ends or this process dies;
   folders of this user that remain because the machine stopped or the watching process was killed
   are removed when the next program is made. */

/* What the programs of one kind have in common. */
struct program_kind {
    const char *option;   /* the option that defines one, for messages */
    const char *in, *out; /* names of the files that it reads and writes */
    bool has_capacity;
};

struct program {
    const struct program_kind *kind;
    char *name, *command;
    char content[DIGEST_TEXT_BYTES]; /* digest of the command and the files that it names */
};

/* Makes a program from its definition. STATUS_USAGE where that has not the form "name=command", the
   name cannot be that of a planner, or the command lacks {in} or {out}. The program is cleared by
   the caller, also after an error. */
enum status program_create(const char *definition, const struct program_kind *kind,
                           struct program *program, struct error *error);
void program_clear(struct program *program);

/* Its exit codes beside 0. Any other, and a signal, are errors. */
enum { PROGRAM_INFEASIBLE = 20, PROGRAM_GAVE_UP = 21 };

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
