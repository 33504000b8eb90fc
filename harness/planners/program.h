#ifndef MEMPLAN_HARNESS_PLANNERS_PROGRAM_H
#define MEMPLAN_HARNESS_PLANNERS_PROGRAM_H

#include "core/digest.h"
#include "core/error.h"

/* A program that a user brings along as "name=command": it reads one file and writes another. In
   its command stand

     {in} {out}     the files' paths ({input} and {output} are the same)
     {capacity}     bytes, where there is one
     {seed}         a number
     {time_limit}   seconds, as a decimal fraction

   At the time limit it is killed with what it has started. The files are in a folder of the
   temporary directory, which is removed with them when the program ends or this process dies; what
   a killed machine or watcher has left of this user's is removed when the next program is made. */

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

#endif
