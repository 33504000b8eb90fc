#ifndef MEMPLAN_DATASETS_EXECUTORCH_PROGRAM_H
#define MEMPLAN_DATASETS_EXECUTORCH_PROGRAM_H

#include "datasets/carried/carried.h"
#include "datasets/executorch/lifetimes.h"

/* A program that was opened: one method, one of its memories, and the lifetimes of its values. */

enum { EXECUTORCH_ALIGNMENT = 16 }; /* of places and of the sizes of memories */

struct program {
    struct flatbuffer file; /* the method points to it, so it must not be moved */
    struct method method;
    uint32_t memory;
    struct lifetimes lifetimes;
    struct scratch scratch;
};

/* The caller closes it, also after an error. */
enum status program_open(const struct text *text, const char *file,
                         const struct carried_choice *choice, struct program *program,
                         struct error *error);
void program_close(struct program *program);

/* The value is a buffer of the problem: it has memory of its own there and is used. */
bool program_is_buffer(const struct program *program, uint32_t value);

#endif
