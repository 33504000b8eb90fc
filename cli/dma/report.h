#ifndef MEMPLAN_CLI_DMA_REPORT_H
#define MEMPLAN_CLI_DMA_REPORT_H

#include "cli/arguments/command.h"
#include "harness/transfers/session.h"

/* Prints the results of memplan dma as text or JSON. Where the arguments ask for them, it adds the
   instructions and times measured on this machine. */
enum status dma_report_print(const struct arguments *arguments,
                             const struct transfer_request *request,
                             const struct transfer_session *session, struct error *error);

#endif
