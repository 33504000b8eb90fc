/* What the library can tell of itself: planners, version, names of results. */
#include "api/planners.h"

#include <string.h>

#include "harness/brought/public_flags.h"
#include "memplan/memplan.h"

enum status api_planner_create(const char *name, struct planner **planner, struct error *error)
{
    const struct planner *row = NULL;
    name = name ? name : "best";
    const char *settings = strchr(name, '?');
    for (uint32_t i = 0; i < planners_count() && !row; i++) {
        size_t length = strlen(planners_at(i)->name);
        if (strncmp(planners_at(i)->name, name, length) == 0 &&
            (!name[length] || name[length] == '?'))
            row = planners_at(i);
    }
    if (!row)
        return error_set(error, STATUS_USAGE, "no planner '%s', expected one of memplan_planner_at",
                         name);
    return planner_configure(row, settings ? settings + 1 : NULL, planner, error);
}

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
