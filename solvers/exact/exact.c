#include "solvers/exact/exact.h"

#include "core/clock.h"
#include "solvers/exact/solve.h"

/* The switches come first, in the order of their bits: those of the race, those of learning. */
const struct planner_option exact_options[] = {
    {"persist", "a rejection lasts until something is placed below the buffer", 1, 0, 1},
    {"nested", "what lives within a rejected buffer does not carry it", 1, 0, 1},
    {"gap", "something must end up where a rejected buffer would have been", 1, 0, 1},
    {"first", "what is too high to be the lowest of a section lies on another", 1, 0, 1},
    {"twins", "of equal buffers the first lies lowest", 1, 0, 1},
    {"split", "parts without a common buffer are solved one by one", 1, 0, 1},
    {"forced", "a section with one buffer that can be the lowest comes first", 1, 0, 1},
    {"overload", "buffers that end too early for their bytes refuse a section", 1, 0, 1},
    {"edges", "what has no room among others before their end lies above them", 1, 0, 1},
    {"chains", "a buffer lies above all the bytes of those decided to lie below it", 1, 0, 1},
    {"keep", "clauses outlive a restart", 1, 0, 1},
    {"learn", "learns clauses: 0 where windows need it, 1 in small parts too, 2 always", 1, 0, 2},
    {"members", "how many of the portfolio of orders search", 64, 1, 64},
    {NULL, NULL, 0, 0, 0},
};

enum { RACE_SWITCHES = 7, LEARN_SWITCHES = 4, LEARN = 11, MEMBERS = 12 };

static unsigned read_switches(const struct planner *planner, uint32_t first, uint32_t count)
{
    unsigned rules = 0;
    for (uint32_t i = 0; i < count; i++)
        rules |= planner_option_value(planner, first + i) ? 1U << i : 0;
    return rules;
}

static struct exact_component_options read_options(const struct planner *planner,
                                                   const struct planner_task *task)
{
    return (struct exact_component_options){
        .race = {.rules = read_switches(planner, 0, RACE_SWITCHES),
                 .members = (uint32_t)planner_option_value(planner, MEMBERS),
                 .threads = task->threads > 1 ? task->threads : 1,
                 .deadline_ns = clock_deadline_ns(task->time_limit_ns)},
        .learn_rules = read_switches(planner, RACE_SWITCHES, LEARN_SWITCHES),
        .learning = (enum exact_learning)planner_option_value(planner, LEARN)};
}

enum status exact_plan(const struct planner *planner, const struct planner_task *task,
                       struct plan *plan, struct error *error)
{
    struct exact_component_options options = read_options(planner, task);
    TRY(search_record_create(&plan->search, error));
    return exact_solve(task, &options, plan, error);
}
