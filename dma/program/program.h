#ifndef MEMPLAN_DMA_PROGRAM_PROGRAM_H
#define MEMPLAN_DMA_PROGRAM_PROGRAM_H

#include "core/text.h"
#include "dma/program/regions.h"

/* What the chip does: for each transfer region a list of instructions, which run one after another
   while transfers go on beside them.

       start conv2 -> alloc1     the channel carries conv2's weights there once it is free
       wait conv2                until they have arrived
       compute conv2
       cancel conv2              the channel drops it and goes on with the next; alloc1 is free
   again
 */

enum transfer_action { TRANSFER_START, TRANSFER_WAIT, TRANSFER_COMPUTE, TRANSFER_CANCEL };

struct transfer_instruction {
    enum transfer_action action;
    uint32_t op;
    uint32_t
        buffer; /* where its weights go; also of a wait, a cancel and a compute that has some */
};

struct transfer_program {
    const struct transfer_regions *regions;
    uint32_t *first; /* [regions->count + 1] into instruction */
    struct transfer_instruction *instruction;
    uint32_t instructions;
    uint32_t buffers;
    uint64_t *buffer_bytes; /* [buffers] */
    uint32_t filled;        /* regions that have their list, while it is being written */
    size_t instruction_capacity;
};

/* An empty program; the regions have to outlive it. */
enum status transfer_program_create(const struct transfer_regions *regions, uint32_t buffers,
                                    struct transfer_program **program, struct error *error);
void transfer_program_free(struct transfer_program *program); /* NULL is fine */

/* Adds to the list of the region at hand; a start makes its buffer large enough. */
enum status transfer_program_add(struct transfer_program *program, enum transfer_action action,
                                 uint32_t op, uint32_t buffer, struct error *error);
/* Ends it; regions are written in their order. */
void transfer_program_end_region(struct transfer_program *program);

/* Bytes of all buffers; false from 2^64 on. */
bool transfer_program_bytes(const struct transfer_program *program, uint64_t *bytes);

/* Appends the lists, one instruction a line, indented as deep as their region is nested. */
void transfer_program_print(const struct transfer_program *program, struct text *text);

const char *transfer_action_name(enum transfer_action action);

#endif
