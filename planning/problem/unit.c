#include "planning/problem/unit.h"

#include <assert.h>

#include "core/checked.h"

static uint64_t find_common_divisor(const struct problem *problem)
{
    uint64_t divisor = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        divisor = greatest_common_divisor(divisor, problem->size[b]);
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            divisor = greatest_common_divisor(divisor, problem_fixed_offset(problem, b));
    }
    for (uint32_t s = 0; s < problem->segments; s++) {
        divisor = greatest_common_divisor(divisor, problem_window_lower(problem, s));
        divisor = greatest_common_divisor(divisor, problem_window_upper(problem, s));
    }
    return divisor ? divisor : 1;
}

/* In some best plan every buffer rests on the bottom, on a window of another, or on the next
   multiple of its alignment above one. Multiples of the unit stay such when they are rounded up to
   an alignment that divides the unit or is a multiple of it. */
uint64_t problem_unit_bytes(const struct problem *problem)
{
    uint64_t unit = find_common_divisor(problem), before;
    assert(unit > 0);
    do {
        before = unit;
        for (uint32_t b = 0; b < problem->buffers; b++)
            if (unit % problem_alignment(problem, b) && problem_alignment(problem, b) % unit)
                unit = greatest_common_divisor(unit, problem_alignment(problem, b));
    } while (unit != before);
    assert(find_common_divisor(problem) % unit == 0);
    assert(unit > 0);
    return unit;
}
