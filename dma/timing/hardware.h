#ifndef MEMPLAN_DMA_TIMING_HARDWARE_H
#define MEMPLAN_DMA_TIMING_HARDWARE_H

#include "core/names.h"
#include "planning/graph/graph.h"

/* What a chip's transfers and operators cost. A transfer of b bytes takes dma_start_ns plus
   b / dma_bytes_per_second. There is one channel, which carries transfers in the order in which
   they are started. An operator takes its compute_ns, else its flops over the rate of its type,
   else nothing. While a transfer runs, computing takes 1 + contention times as long. Everything is
   rounded up to whole ns. */

enum { HARDWARE_NAME_BYTES = 64, HARDWARE_PARTS = 1000000 };
#define HARDWARE_DEFAULT_TYPE "default" /* its rate counts for types without their own */

struct hardware {
    char name[HARDWARE_NAME_BYTES];
    uint64_t dma_bytes_per_second;     /* at least 1 */
    uint64_t dma_start_ns;             /* before the first byte of a transfer */
    uint64_t dma_start_instruction_ns; /* how long starting a transfer holds up the processor */
    uint64_t dma_wait_instruction_ns; /* how long waiting for one takes beyond the waiting itself */
    uint64_t contention;              /* in 1 / HARDWARE_PARTS; at most 1000 * HARDWARE_PARTS */
    struct names types;               /* types of operators that have a rate */
    uint64_t *operations_per_second;  /* [types.count] at least 1 */
    size_t rates_capacity;
    uint64_t on_chip_bytes; /* 0 where not known */
};

/* Frees what the struct owns, which may be zeroed. */
void hardware_clear(struct hardware *hardware);

/* Gives operators of a type a rate of at least 1. The type must not have one yet. */
enum status hardware_add_rate(struct hardware *hardware, const char *type,
                              uint64_t operations_per_second, struct error *error);

/* The time of a transfer or of an operator; false where it is 2^64 ns or more. */
bool hardware_transfer_ns(const struct hardware *hardware, uint64_t bytes, uint64_t *ns);
bool hardware_compute_ns(const struct hardware *hardware, const struct graph *graph, uint32_t op,
                         uint64_t *ns);

/* The time of computing that takes compute_ns without contention, where it begins together with
   transfers that keep the channel busy for busy_ns. It is at most compute_ns times 1 + contention,
   rounded up. */
uint64_t hardware_contend(const struct hardware *hardware, uint64_t compute_ns, uint64_t busy_ns);

#endif
