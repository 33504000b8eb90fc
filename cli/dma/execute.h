#ifndef MEMPLAN_CLI_DMA_EXECUTE_H
#define MEMPLAN_CLI_DMA_EXECUTE_H

#include "cli/output/json.h"
#include "dma/run.h"

/* Runs the graph along its likeliest path on this machine, under sync, pingpong and the run's own
   mode, and adds "execution" to the outermost object: what was calibrated, and measured beside
   modelled times. */
enum status dma_execute_add(const struct transfer_run *run, struct json_tree *facts,
                            struct error *error);

void dma_execute_print(const struct json_tree *facts);

#endif
