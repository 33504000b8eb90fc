#include "heuristics/common/family.h"
#include "heuristics/skyline/skyline.h"

#define SKYLINE(name_, title_, source_, count_, ...)                                               \
    {                                                                                              \
        .name = name_, .family = "skyline", .title = title_, .source = source_,                    \
        .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES,                                            \
        .rule = &(const struct skyline_rule){{__VA_ARGS__}, count_}, .plan = skyline_plan          \
    }

#define BURKE "Burke et al., Oper. Res. 52(4), 2004, on fixed lifetimes"

static const struct planner rows[] = {
    SKYLINE("strip_best_fit", "on the lowest piece of a skyline, longest life first",
            "Sekiyama et al., arXiv 1804.10001", 1, SKYLINE_LONGEST),
    SKYLINE("strip_best_fit_size", "on the lowest piece of a skyline, largest first", BURKE, 1,
            SKYLINE_LARGEST),
    SKYLINE("strip_best_fit_area", "on the lowest piece of a skyline, most bytes times steps first",
            BURKE, 1, SKYLINE_AREA),
    SKYLINE("strip_best_fit_start", "on the lowest piece of a skyline, earliest first", BURKE, 1,
            SKYLINE_EARLIEST),
    SKYLINE("strip_best_fit_all", "the best of the four skyline rules", BURKE, 4, SKYLINE_LONGEST,
            SKYLINE_LARGEST, SKYLINE_AREA, SKYLINE_EARLIEST),
};

HEURISTICS_FAMILY_DEFINE(skyline, rows);
