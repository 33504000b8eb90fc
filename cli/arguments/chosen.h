#ifndef MEMPLAN_CLI_ARGUMENTS_CHOSEN_H
#define MEMPLAN_CLI_ARGUMENTS_CHOSEN_H

#include "cli/arguments/arguments.h"
#include "core/names.h"
#include "results/store/choice.h"

/* The results of a store that --run, --suite, --instances, --policy, --planners, --sort and --top
   choose. */
struct chosen {
    struct result_choice choice; /* its names are those below */
    struct names instances, policies, planners, subject, mine;
};

/* Options of the commands that take a struct chosen. */
#define OPTIONS_OF_RESULTS                                                                         \
    OPTION_RUN, OPTION_SUITE, OPTION_INSTANCES, OPTION_POLICIES, OPTION_PLANNERS
#define HELP_OF_RESULTS                                                                            \
    {OPTION_SUITE, "only results of the instances of these suites; may be repeated"},              \
    {                                                                                              \
        OPTION_POLICIES, "only results under these policies, separated by commas; may be repeated" \
    }

/* Finds the names in the store that the arguments choose: for a suite its instances, for a family
   its planners, for a pattern the names that match it. STATUS_USAGE for a name that neither the
   store nor the program has, with the nearest one. The caller clears *chosen, also after an error.
   O(rows). */
enum status chosen_find(const struct arguments *arguments, struct store *store,
                        struct chosen *chosen, struct error *error);

/* Does the same for the second operand, which follows the name of a table or figure: planners
   separated by commas, or an instance. STATUS_USAGE where nothing may follow. */
enum status chosen_find_subject(const struct arguments *arguments, enum table_subject subject,
                                struct store *store, struct chosen *chosen, struct error *error);
void chosen_clear(struct chosen *chosen);

#endif
