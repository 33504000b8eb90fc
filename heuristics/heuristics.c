#include "heuristics/heuristics.h"

#include <assert.h>
#include <string.h>

#include "heuristics/common/rows.h"
#include "heuristics/ours/portfolio.h"

#define HEURISTICS_PLANNERS(name) extern const struct heuristics_rows heuristics_##name;
#include "heuristics/planners.def"
#undef HEURISTICS_PLANNERS

#define HEURISTICS_PLANNERS(name) &heuristics_##name,
static const struct heuristics_rows *const files[] = {
#include "heuristics/planners.def"
};
#undef HEURISTICS_PLANNERS

enum { FILES = sizeof files / sizeof *files };

uint32_t heuristics_count(void)
{
    uint32_t count = 0;
    for (int f = 0; f < FILES; f++)
        count += files[f]->count;
    return count;
}

const struct planner *heuristics_at(uint32_t index)
{
    int f = 0;
    assert(index < heuristics_count());
    for (; index >= files[f]->count; f++)
        index -= files[f]->count;
    return &files[f]->row[index];
}

const struct planner *heuristics_find(const char *name)
{
    for (int f = 0; f < FILES; f++)
        for (uint32_t i = 0; i < files[f]->count; i++)
            if (strcmp(files[f]->row[i].name, name) == 0)
                return &files[f]->row[i];
    return NULL;
}

/* The planners that were best, or nearly best, most often on the datasets at hand. Those that
   together are best on large problems come first, since a time limit may leave no time for the
   others; solvers/best/parts.c names the first five by their numbers. */
static const char *const quick[PORTFOLIO_QUICK] = {
    "strip_best_fit_start",    "strip_best_fit_area", "xla_lazy_best_fit",
    "tflite_greedy_by_size",   "strip_best_fit",      "tflm_greedy",
    "size_duration_first_fit", "birth_best_fit",      "urgency_best_fit",
    "conflicts_best_fit",      "size_worst_fit",      "duration_size_best_fit",
    "area_first_fit",          "breadth_best_fit",
};

static const struct portfolio_rule raced = {quick, PORTFOLIO_QUICK, "descent", heuristics_find};

/* The portfolio runs other planners of this table, so its row stands here, where the table can give
   it their names. */
static const struct planner portfolio[] = {
    {.name = "portfolio",
     .family = "ours",
     .title = "the best of quick rules and of a descent, within the time limit",
     .source = "ours: heuristics/ours/portfolio.h",
     .flags = PLANNER_NO_WINDOWS | PLANNER_SEARCHES | PLANNER_RANDOMISED | PLANNER_CLOCKS,
     .rule = &raced,
     .options = portfolio_options,
     .plan = portfolio_plan},
};

HEURISTICS_ROWS(portfolio, portfolio);
