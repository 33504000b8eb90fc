#ifndef MEMPLAN_CLI_MEMORIES_MEMORIES_H
#define MEMPLAN_CLI_MEMORIES_MEMORIES_H

#include "cli/arguments/arguments.h"
#include "cli/output/json.h"
#include "datasets/memory_instance.h"
#include "harness/job/job.h"
#include "harness/memories/graph.h"
#include "harness/rows/record.h"
#include "planning/memories/memory_planner.h"
#include "planning/verify/memories/memories.h"

/* What each command does with a problem for several memories, see docs/memories.md. */

/* Fails with STATUS_USAGE, and names it, where an option is given that does not count for a problem
   with several memories or, of a graph, together with --memories. */
enum status memories_refuse_options(const struct arguments *arguments, bool of_graph,
                                    struct error *error);

/* Plans it, checks the plan, reports it and writes it. STATUS_NO where nothing fits. */
enum status memories_plan(const struct arguments *arguments, struct error *error);
/* Checks the plan that the second operand names. STATUS_NO where it is wrong. */
enum status memories_verify(const struct arguments *arguments, struct error *error);
/* Checks it, and says what the best plan costs and what each memory needs at least for the buffers
   that lie in it. STATUS_NO where the plan is wrong. */
enum status memories_audit(const struct arguments *arguments, struct error *error);
/* Writes the problem as memplan-memories/1. */
enum status memories_convert(const struct arguments *arguments, struct error *error);

/* Whether the user names memories, or the first operand or the first suite is such a problem. */
bool memories_are_chosen(const struct arguments *arguments);
/* Plans those of all suites and operands with each planner, and stores what was found. */
enum status memories_bench(const struct arguments *arguments, struct error *error);

/* Do the same with a graph and the memories of arguments->memories: its tensors are planned, which
   memories_check_options asks for first; a plan of it is checked and, if asked for, executed. */
enum status memories_check_options(const struct arguments *arguments,
                                   const struct instance *instance, struct error *error);
enum status memories_plan_graph(const struct arguments *arguments, const struct job *job,
                                struct error *error);
enum status memories_verify_graph(const struct arguments *arguments,
                                  const struct instance *instance,
                                  const struct inplace_choice *choice, struct error *error);

/* Do the same with tensors and weights that move, where arguments->moves says so.
   moves_are_in_file says whether a file is probably a plan with moves. */
enum status moves_plan_graph(const struct arguments *arguments, const struct job *job,
                             struct error *error);
enum status moves_verify_graph(const struct arguments *arguments, const struct instance *instance,
                               struct error *error);
bool moves_are_in_file(const char *path);

/* Plans the graph of a job with each of the planners, which are known,
   and stores what was found. */
struct moves_recording {
    const struct arguments *arguments;
    struct store *store;
    const struct record_context *context;
    const struct instance *instance; /* the name and the digest for the store */
    const struct names *planners;
};
enum status moves_bench_graph(const struct moves_recording *recording, const struct job *job,
                              struct error *error);

/* What was found for a problem, to be printed. */
struct memories_finding {
    const struct memory_problem *problem;
    const struct memory_planner *planner;
    const struct memory_plan *plan;
    uint64_t wall_ns;
    const char *policy;                       /* of a graph, or NULL */
    const struct memory_graph_checks *checks; /* of a graph, or NULL */
    bool costs_time;                          /* costs are ns */
};

/* What a command tells: facts for JSON, which json_open_facts begins, and lines for people. */
struct memories_told {
    struct json_tree facts;
    struct text lines;
};
void memories_told_free(struct memories_told *told);
void memories_tell(struct memories_told *told, const char *key, const char *value);
/* Tells the peak of each memory, with its capacity if it has one. */
void memories_tell_peaks(struct memories_told *told, const struct memories_finding *finding);
/* Prints one of the two, as the arguments say. */
enum status memories_print(const struct arguments *arguments, struct memories_told *told,
                           struct error *error);

/* Prints it, and says on standard error why there is no plan; the status of the command. */
enum status memories_report(const struct arguments *arguments,
                            const struct memories_finding *finding, struct error *error);

/* Draws the memories of a plan side by side. */
enum status memories_draw(const struct memories_finding *finding, const char *path,
                          struct error *error);

struct memories_execution {
    bool intact;
    char text[512];
};
/* Prints what verify says and, where it is not NULL, execute. STATUS_NO where one refuses. */
enum status memories_report_verdict(const struct arguments *arguments,
                                    const struct memory_verdict *verdict,
                                    const struct memories_execution *execution,
                                    struct error *error);

#endif
