/* What the library can tell of itself: planners, version, names of results. */
#include <string.h>

#include "harness/brought/public_flags.h"
#include "harness/catalogue/planners.h"
#include "memplan/memplan.h"

uint32_t memplan_planner_count(void)
{
    return planners_count();
}

int memplan_planner_at(uint32_t index, struct memplan_description *description)
{
    if (!description || index >= planners_count())
        return 0;
    const struct planner *row = planners_at(index);
    size_t struct_bytes = description->struct_bytes;
    const struct memplan_description full = {.struct_bytes = struct_bytes,
                                             .name = row->name,
                                             .family = row->family,
                                             .title = row->title,
                                             .source = row->source,
                                             .flags = public_flags_from(row->flags)};
    memcpy(description, &full, struct_bytes < sizeof full ? struct_bytes : sizeof full);
    return 1;
}

const char *memplan_version(void)
{
    return MEMPLAN_VERSION;
}

const char *memplan_result_name(enum memplan_result result)
{
    static const char *const names[] = {
        [MEMPLAN_FOUND] = "found",           [MEMPLAN_OPTIMAL] = "optimal",
        [MEMPLAN_INFEASIBLE] = "infeasible", [MEMPLAN_GAVE_UP] = "gave up",
        [MEMPLAN_TIMEOUT] = "timeout",       [MEMPLAN_UNSUPPORTED] = "unsupported",
        [MEMPLAN_NO_MEMORY] = "no memory",   [MEMPLAN_FAILED] = "failed",
        [MEMPLAN_BAD_INPUT] = "bad input",   [MEMPLAN_WRONG] = "wrong",
        [MEMPLAN_SAMPLED] = "sampled"};
    unsigned index = (unsigned)result;
    return index < sizeof names / sizeof *names ? names[index] : "unknown";
}
