#ifndef MEMPLAN_CLI_VERSUS_SUBJECT_H
#define MEMPLAN_CLI_VERSUS_SUBJECT_H

#include "cli/arguments/chosen.h"
#include "cli/arguments/command.h"
#include "core/text.h"
#include "results/views/planners/duels.h"

/* What is compared, and the arguments with which it is planned and found again. */
struct versus {
    struct arguments arguments; /* for bench and for the choice of results */
    struct text planners, orders, instances;
    const char **operand;  /* [arguments.operands] of a run: its instances */
    struct result_set run; /* owns these */
    struct planner *planner;
    const char *mine, *run_label;
    bool by_orders;
    struct store *store;
    struct chosen chosen;
    struct contest contest;
    struct duels duels;
    uint32_t place; /* of mine in the standings */
};

#endif
