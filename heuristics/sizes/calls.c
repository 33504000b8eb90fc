#include "heuristics/sizes/calls.h"

#include "core/checked.h"
#include "core/sort.h"

enum status size_rules_fail_full(struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT,
                     "a rule that plans are compared with needs more than 2^63 - 1 bytes");
}

static uint64_t get_lower(const void *context, uint32_t buffer)
{
    return problem_lower(context, buffer);
}

static uint64_t get_upper(const void *context, uint32_t buffer)
{
    return problem_upper(context, buffer);
}

enum status size_rules_calls(const struct problem *problem, struct event **calls,
                             struct scratch *scratch, struct error *error)
{
    uint32_t buffers = problem->buffers, *beginning, *ending, begun = 0;
    const struct sort_key by_lower[SORT_MOST_KEYS] = {{.value = get_lower}};
    const struct sort_key by_upper[SORT_MOST_KEYS] = {{.value = get_upper}};
    TRY(scratch_take(scratch, calls, (size_t)2 * buffers, sizeof **calls, error));
    TRY(scratch_take(scratch, &beginning, buffers, sizeof *beginning, error));
    TRY(scratch_take(scratch, &ending, buffers, sizeof *ending, error));
    TRY(sort_by_keys(by_lower, problem, buffers, beginning, error));
    TRY(sort_by_keys(by_upper, problem, buffers, ending, error));
    for (uint32_t ended = 0; ended < buffers; ended++) {
        uint32_t upper = problem_upper(problem, ending[ended]);
        for (; begun < buffers && problem_lower(problem, beginning[begun]) < upper; begun++)
            (*calls)[begun + ended] = (struct event){beginning[begun], false};
        (*calls)[begun + ended] = (struct event){ending[ended], true};
    }
    return STATUS_OK;
}

enum status size_rules_find_unit(const struct problem *problem, uint64_t rule_bytes, uint64_t *unit,
                                 struct error *error)
{
    *unit = rule_bytes;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (!checked_common_multiple(*unit, problem_alignment(problem, b), unit) ||
            *unit > INT64_MAX)
            return size_rules_fail_full(error);
    return STATUS_OK;
}
