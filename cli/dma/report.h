#ifndef MEMPLAN_CLI_DMA_REPORT_H
#define MEMPLAN_CLI_DMA_REPORT_H

#include "cli/arguments/command.h"
#include "harness/transfers/session.h"

/* Prints what memplan dma has found out, as text or JSON, with what else the arguments ask for:
   instructions, and what this machine takes. */
enum status dma_report_print(const struct arguments *arguments,
                             const struct transfer_request *request,
                             const struct transfer_session *session, struct error *error);

#endif
