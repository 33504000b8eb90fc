#ifndef MEMPLAN_DMA_PROGRAM_PROGRAM_H
#define MEMPLAN_DMA_PROGRAM_PROGRAM_H

#include "core/text.h"
#include "dma/program/regions.h"

/* What the chip does: for each transfer region a list of instructions, which the processor runs one
   after another while transfers go on beside them in the channel.

       start conv2 -> alloc1     the channel carries conv2's weights there once it is free
       wait conv2                the processor waits until they have arrived
       compute conv2             the operator runs, with the weights in alloc1
       cancel conv2              the channel drops the transfer, goes on with the next one, and
                                 alloc1 is free again
       keep conv2                the processor waits; then conv2's weights stay in alloc1, and conv2
                                 computes with them as often as it runs, without another wait
       drop conv2                they are not needed any more, and alloc1 is free again */

enum transfer_action {
    TRANSFER_START,
    TRANSFER_WAIT,
    TRANSFER_COMPUTE,
    TRANSFER_CANCEL,
    TRANSFER_KEEP,
    TRANSFER_DROP
};

/* An action on the weights of an operator, and the buffer that they go to or are in. A compute
   without weights names buffer 0. */
struct transfer_instruction {
    enum transfer_action action;
    uint32_t op;
    uint32_t buffer;
};

struct transfer_program {
    const struct transfer_regions *regions;
    uint32_t *first; /* [regions->count + 1] where each region's list begins in `instruction` */
    struct transfer_instruction *instruction;
    uint32_t instructions;
    uint32_t buffers;
    uint64_t *buffer_bytes; /* [buffers] */
    uint32_t filled; /* while the program is written: number of regions whose list is complete */
    size_t instruction_capacity;
};

/* An empty program with at least one buffer; the regions have to outlive it. */
enum status transfer_program_create(const struct transfer_regions *regions, uint32_t buffers,
                                    struct transfer_program **program, struct error *error);
void transfer_program_free(struct transfer_program *program); /* NULL is fine */
SCOPED_POINTER(struct transfer_program, transfer_program_release, transfer_program_free);

/* Adds an instruction to the list of the first region that is not complete. A start makes its
   buffer large enough. */
enum status transfer_program_add(struct transfer_program *program, enum transfer_action action,
                                 uint32_t op, uint32_t buffer, struct error *error);
/* Completes the list of the region to which instructions are added; the next instruction goes to
   the region after it. */
void transfer_program_end_region(struct transfer_program *program);

/* The sum of the bytes of all buffers; false where that is 2^64 or more. */
bool transfer_program_bytes(const struct transfer_program *program, uint64_t *bytes);

/* Appends the lists, one instruction a line, indented as deep as their region is nested. */
void transfer_program_print(const struct transfer_program *program, struct text *text);

const char *transfer_action_name(enum transfer_action action);

#endif
