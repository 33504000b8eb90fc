#ifndef MEMPLAN_SOLVERS_MEMORIES_WHOLE_H
#define MEMPLAN_SOLVERS_MEMORIES_WHOLE_H

#include "solvers/memories/program.h"

/* A problem with several memories as one integer program: the choice of program.h, an offset for
   each node, and for any two nodes that must not share bytes, or pay for it, which of them lies
   below the other. Its optimum is the least cost of a plan. */
struct whole_program {
    struct master_program choice;
    struct master_cuts cuts; /* none */
    bool *has_choice;        /* [nodes] */
    uint32_t *arena;         /* [nodes] the first that is open to it */
    uint64_t unit_bytes;     /* offsets are counted in it */
    uint64_t most_units;     /* no offset is above */
    uint32_t first_offset;   /* column of the offset of node 0 */
};

/* What the names of its columns mean, for those who read its files. */
#define WHOLE_LEGEND                                                                               \
    "in_A~~K where A lies in block K (the memories in turn, each in one block or by chunks), "     \
    "offset_A in it, below_A~~B where A lies below B, paid_A~~B where they may share bytes"

/* The columns get names where names is not NULL. STATUS_BAD_INPUT where some node may lie nowhere,
   where there are more than MIP_MOST_ENTRIES entries, or where numbers are no longer whole in
   floating point. The caller clears it, also after an error. O(pairs that conflict or have an edge,
   times arenas). */
enum status whole_program_create(const struct memory_model *model, struct names *names,
                                 struct whole_program *made, struct error *error);
void whole_program_clear(struct whole_program *program);

/* Reads arenas, and offsets in bytes, both [nodes], off the values of a solution. False where an
   offset is no number of bytes. The caller verifies the plan. */
bool whole_program_read(const struct whole_program *program, const double *values, uint32_t *arena,
                        uint64_t *offset);

#endif
