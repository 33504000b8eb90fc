#include "results/views/policies.h"

#include <assert.h>
#include <string.h>

#include "core/rows.h"

#define POLICY_NAME(constant, name) name,
static const char *const names[POLICIES_COUNT] = {POLICIES_EACH(POLICY_NAME)};
#undef POLICY_NAME

const char *policies_name(uint32_t policy)
{
    assert(policy < POLICIES_COUNT);
    return names[policy];
}

/* Whether a refused plan of this planner shows that the policy is unsafe; with other planners it
   may be the fault of the planner. */
static bool is_trusted(const char *planner)
{
    return roles_find_strategy(planner) < ROLES_STRATEGIES || strcmp(planner, ROLES_NAIVE) == 0 ||
           roles_is_prover(planner);
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
    unsigned strategy = roles_find_strategy(row->planner);
    if (!facts->measured)
        *facts = (struct policy_facts){.measured = true, .fault = "", .addresses = ""};
    if (row->load_bytes > facts->load_bytes)
        facts->load_bytes = row->load_bytes;
    if (bound_bytes > facts->bound_bytes)
        facts->bound_bytes = bound_bytes;
    if (*row->addresses && strcmp(facts->addresses, RESULT_RUN_TIME) != 0)
        facts->addresses = row->addresses;
    if (strategy < ROLES_STRATEGIES)
        facts->strategy[strategy] = row;
    take_peak(facts, row);
}

uint32_t policies_find(const struct result_set *set, uint32_t first,
                       struct policy_facts facts[POLICIES_COUNT])
{
    uint32_t i = first;
    assert(first < set->count);
    memset(facts, 0, POLICIES_COUNT * sizeof *facts);
    for (; i < set->count && strcmp(set->row[i].instance, set->row[first].instance) == 0; i++) {
        uint32_t policy = rows_find(set->row[i].policy, POLICIES_COUNT, policies_name);
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
