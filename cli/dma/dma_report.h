#ifndef MEMPLAN_CLI_DMA_DMA_REPORT_H
#define MEMPLAN_CLI_DMA_DMA_REPORT_H

#include "cli/arguments/command.h"
#include "datasets/instance.h"
#include "dma/planned/front.h"
#include "dma/run.h"
#include "dma/timing/hardware.h"

/* What memplan dma has found out. */
struct dma_session {
    const struct arguments *arguments;
    const struct instance *instance;
    struct hardware hardware;
    struct transfer_run run;
    struct planned_front *front; /* of a mode in the arena, else NULL */
    uint64_t arena_bytes, on_chip_bytes;
};

/* Prints it as text or JSON, with what else the arguments ask for. */
enum status dma_report_print(const struct dma_session *session, struct error *error);

#endif
