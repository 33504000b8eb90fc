#ifndef MEMPLAN_CLI_ARGUMENTS_SELECT_H
#define MEMPLAN_CLI_ARGUMENTS_SELECT_H

#include "cli/arguments/command.h"
#include "datasets/instance.h"
#include "harness/job/job.h"
#include "harness/job/unreadable_file.h"
#include "planning/order/order.h"
#include "planning/plan/planner.h"

/* Finds rows of tables by names on the command line. An unknown name is STATUS_USAGE, and the
   message lists the known ones. */

/* One planner, which the caller frees, or policy; name may be NULL for the default. A planner's
   settings may follow its name: "nnvm?match_range=4&colours=2". */
enum status select_planner(const struct registry *registry, const char *name,
                           struct planner **planner, struct error *error);
enum status select_policy(const char *name, const struct policy **policy, struct error *error);
/* Chooses the policy `streams` for a graph on several streams if the user named no policy. */
void select_suited_policy(const struct arguments *arguments, const struct instance *instance,
                          const struct policy **policy);

enum status select_inplace(const struct arguments *arguments, struct inplace_choice *choice,
                           struct error *error);
/* Checks the disabled types of operators: STATUS_USAGE where neither an operator of these instances
   nor a set of rules has one of them. */
enum status select_inplace_types(const struct inplace_choice *choice,
                                 struct instance *const *instance, uint32_t instances,
                                 struct error *error);

struct planner_list {
    struct planner **planner; /* [count] */
    uint32_t count;
    size_t capacity;
};

/* Read comma-separated lists. NULL stands for all planners, but NULL and "all" for no policy, since
   which policies make sense depends on the instance. No name may occur twice. The list of planners
   starts empty and is cleared by the caller, also after an error. The list of policies is an array
   [*count] that the caller frees. */
enum status select_planners(const struct registry *registry, const char *list,
                            struct planner_list *planners, struct error *error);
void planner_list_clear(struct planner_list *planners);
enum status select_policies(const char *list, const struct policy ***policies, uint32_t *count,
                            struct error *error);

/* A comma-separated list of orders, as registry_configure_order takes each; none may be named
   twice. Starts empty and is cleared by the caller, also after an error. */
struct order_list {
    struct order_row **row; /* [count] */
    uint32_t count;
    size_t capacity;
    char *text; /* the names */
};
enum status select_orders(const struct registry *registry, const char *list,
                          struct order_list *orders, struct error *error);
void order_list_clear(struct order_list *orders);

/* Whether options of what this names may be ranges: an ONNX or TFLite model, or a network. */
bool select_has_ranges(const char *name);

/* Checks that the options apply to some instance: STATUS_USAGE where options for .csv files or ONNX
   models are given and none of the instances is such a file, or options for graphs and all are
   problems. */
enum status select_file_options(const struct arguments *arguments, const char *const *name,
                                uint32_t names, struct error *error);
enum status select_graph_options(const struct arguments *arguments,
                                 struct instance *const *instance, uint32_t instances,
                                 struct error *error);

/* Checks that nothing is lost by writing to `output` (NULL: nothing is written): STATUS_USAGE where
   that would replace a file that the arguments read, even under another name or by a link. An
   operand that is the output itself is not compared. */
enum status select_output(const struct arguments *arguments, const char *output,
                          struct error *error);

/* Loads an instance; checks the options for files, too. */
enum status select_instance(const struct arguments *arguments, const char *name,
                            struct instance **instance, struct error *error);

/* Checks the memory limit: STATUS_USAGE where the user sets one that this build cannot enforce. */
enum status select_memory_limit(const struct arguments *arguments, struct error *error);

/* Appends the settings beside planner and policy in the form that rows and plan files have them
   (results/store/options.h); the caller frees the text, also after an error. */
enum status select_options(const struct arguments *arguments, struct text *options,
                           struct error *error);

/* Collects the instances of the suites and then those of the operands. An instance that is named
   several times is taken once, since equal names and contents are one row of results. Checks the
   options for files, too. */
struct selection {
    struct instance **instance;          /* [count] */
    struct unreadable_file **unreadable; /* [unreadables] */
    uint32_t count, unreadables;
    size_t capacity, unreadable_capacity;
};
enum status select_instances(const struct arguments *arguments, struct selection *selection,
                             struct error *error);
/* Does the same, but a file that cannot be read is listed as unreadable, as long as at least one
   instance can be read. */
enum status select_readable_instances(const struct arguments *arguments,
                                      struct selection *selection, struct error *error);
void selection_clear(struct selection *selection);

#endif
