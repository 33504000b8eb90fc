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

/* What programs of one kind are for. */
struct program_kind {
    const char *option;   /* that defines one, for messages */
    const char *in, *out; /* names of its files */
    bool has_capacity;
};

struct program {
    const struct program_kind *kind;
    char *name, *command;
    char content[DIGEST_TEXT_BYTES]; /* of the command and the files that it names */
};

/* STATUS_USAGE where the definition is none, the name is no name of a planner or the command lacks
   {in} or {out}. Cleared by the caller, also after an error. */
enum status program_create(const char *definition, const struct program_kind *kind,
                           struct program *program, struct error *error);
void program_clear(struct program *program);

#endif
