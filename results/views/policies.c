#include "results/views/policies.h"

#include <string.h>

#include "results/views/provers.h"

static const char *const names[POLICIES_COUNT] = {"flat",  "sum",  "max",   "recursive",
                                                  "hoist", "path", "select"};
static const char *const strategies[POLICIES_STRATEGIES] = {"large_first", "short_first",
                                                            "sequential"};

const char *policies_name(unsigned policy)
{
    return names[policy];
}

const char *policies_strategy(unsigned strategy)
{
    return strategies[strategy];
}

static unsigned find_name(const char *const *list, unsigned count, const char *name)
{
    unsigned i = 0;
    while (i < count && strcmp(list[i], name) != 0)
        i++;
    return i;
}

/* Its refused plans say that the policy is unsafe; a refused plan of any other planner may be the
   planner's own fault. */
static bool is_trusted(const char *planner)
{
    return find_name(strategies, POLICIES_STRATEGIES, planner) < POLICIES_STRATEGIES ||
           strcmp(planner, "naive") == 0 || provers_have(planner);
}

static void take_peak(struct policy_facts *facts, const struct result_row *row)
{
    enum result_worth worth = query_worth(row);
    if (worth == RESULT_NO_PLAN || row->split_buffers ||
        (worth == RESULT_INVALID && !is_trusted(row->planner)))
        return;
    if (worth == RESULT_INVALID)
        facts->fault = row->fault;
    if (!facts->best_bytes || row->peak_bytes < facts->best_bytes)
        facts->best_bytes = row->peak_bytes;
}

static void take_row(struct policy_facts *facts, const struct result_row *row, uint64_t bound_bytes)
{
    unsigned strategy = find_name(strategies, POLICIES_STRATEGIES, row->planner);
    if (!facts->measured)
        *facts = (struct policy_facts){.measured = true, .fault = "", .addresses = ""};
    if (row->load_bytes > facts->load_bytes)
        facts->load_bytes = row->load_bytes;
    if (bound_bytes > facts->bound_bytes)
        facts->bound_bytes = bound_bytes;
    if (*row->addresses && strcmp(facts->addresses, RESULT_RUN_TIME) != 0)
        facts->addresses = row->addresses;
    if (strategy < POLICIES_STRATEGIES)
        facts->strategy[strategy] = row;
    take_peak(facts, row);
}

uint32_t policies_find(const struct result_set *set, uint32_t first,
                       struct policy_facts facts[POLICIES_COUNT])
{
    uint32_t i = first;
    memset(facts, 0, POLICIES_COUNT * sizeof *facts);
    for (; i < set->count && strcmp(set->row[i].instance, set->row[first].instance) == 0; i++) {
        unsigned policy = find_name(names, POLICIES_COUNT, set->row[i].policy);
        if (policy < POLICIES_COUNT && !*set->row[i].options)
            take_row(&facts[policy], &set->row[i], set->bound_bytes[i]);
    }
    return i;
}

bool policies_is_optimum(const struct policy_facts *facts)
{
    return facts->best_bytes && facts->best_bytes == facts->bound_bytes;
}

bool policies_is_wanted(const struct policy_facts facts[POLICIES_COUNT])
{
    unsigned measured = 0;
    for (unsigned p = 0; p < POLICIES_COUNT; p++)
        measured += facts[p].measured;
    return measured > 1;
}
