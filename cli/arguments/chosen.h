#ifndef MEMPLAN_CLI_ARGUMENTS_CHOSEN_H
#define MEMPLAN_CLI_ARGUMENTS_CHOSEN_H

#include "cli/arguments/arguments.h"
#include "core/names.h"
#include "results/store/choice.h"

/* What --run, --suite, --instances, --policy, --planners, --sort and --top choose of a store. */
struct chosen {
    struct result_choice choice; /* its names are those below */
    struct names instances, policies, planners;
};

/* Options of the commands that take a struct chosen. */
#define OPTIONS_OF_RESULTS                                                                         \
    OPTION_RUN, OPTION_SUITE, OPTION_INSTANCES, OPTION_RESULT_POLICIES, OPTION_PLANNERS

/* Names become names of the store: a suite those of its instances, a family those of its planners,
   a pattern those that match it. STATUS_USAGE for a name that neither the store nor the program
   has, with the nearest one. The caller clears it, also after an error. O(rows). */
enum status chosen_find(const struct arguments *arguments, struct store *store,
                        struct chosen *chosen, struct error *error);
void chosen_clear(struct chosen *chosen);

#endif
