#ifndef MEMPLAN_DMA_MEASURED_MEASURED_H
#define MEMPLAN_DMA_MEASURED_MEASURED_H

#include "dma/measured/calibration.h"
#include "dma/program/program.h"
#include "dma/timing/costs.h"

/* Programs run for real on this machine: a thread copies weights from memory that no cache holds
   into the program's buffers, another computes with them. Copies are as large as the weights.
   Computing is as long, in relation to all copies, as it is on the chip in relation to all its
   transfers, so that the machine is a scale model of the chip with its own start-up and bandwidth.
   Every operator checks that its buffer holds its weights. */
struct measured_model {
    struct calibration calibration;
    double scale; /* ns of computing here for each ns on the chip */
    /* This machine's bandwidth, start-up and contention as if it were a chip. */
    struct hardware hardware;
    struct transfer_costs costs;
    uint64_t *rounds; /* [operators] rounds of arithmetic that stand for its computing */
};

/* Calibrates this machine and scales the graph's costs on a chip to it. *model is zeroed by the
   caller, must not be moved, and is cleared by the caller, also after an error. */
enum status measured_model_create(const struct transfer_regions *regions,
                                  const struct transfer_costs *chip, struct measured_model *model,
                                  struct error *error);
void measured_model_clear(struct measured_model *model);

struct measured_times {
    /* What the timing model says of the same path with this machine's costs. */
    uint64_t modelled_ns;
    uint64_t median_ns, least_ns, most_ns;
    uint32_t runs;
};

/* Runs a program, checked by dma/program/check.h, several times along the path chosen[operators].
   STATUS_USAGE where it cancels transfers, STATUS_LIMIT where the path is too long to be run,
   STATUS_INTERNAL where an operator finds weights that are not its own. */
enum status measured_run(const struct transfer_program *program, const struct measured_model *model,
                         const uint32_t *chosen, struct measured_times *times, struct error *error);

#endif
