#include "results/views/planners/common_lines.h"

#include <assert.h>
#include <math.h>

#include "core/memory.h"

/* The counts that are kept while one planner after another leaves the ranking: for each planner its
   numbers, and for each line how many ranked planners have no number there. */
struct tally {
    const struct grid *grid;
    uint32_t *numbers; /* [planners] lines with a number */
    uint32_t *lacking; /* [lines] ranked planners without a number; UINT32_MAX where nobody has one
                          or the line is left out */
    struct names unsafe_policies;
};

static const char *get_policy(const struct grid *grid, uint32_t line)
{
    return grid->set->row[grid->first[line]].policy;
}

static bool is_refused(const struct grid *grid, uint32_t line, uint32_t planner)
{
    const struct result_row *row = grid_at(grid, line, planner);
    return row && query_worth(row) == RESULT_INVALID;
}

static bool are_most_refused(const struct grid *grid, uint32_t line)
{
    uint32_t refused = 0, plans = 0;
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        const struct result_row *row = grid_at(grid, line, i);
        plans += row && query_worth(row) != RESULT_NO_PLAN;
        refused += is_refused(grid, line, i);
    }
    return refused > 1 && 2 * refused > plans;
}

static bool is_left_out(const struct tally *tally, uint32_t line)
{
    return names_find(&tally->unsafe_policies, get_policy(tally->grid, line)) != NAMES_NONE;
}

static void count_numbers(const struct tally *tally, const struct common_lines *common)
{
    const struct grid *grid = tally->grid;
    double ratio;
    for (uint32_t i = 0; i < grid->lines; i++) {
        uint32_t found = 0;
        bool left_out = is_left_out(tally, i);
        for (uint32_t planner = 0; planner < grid->planners.count && !left_out; planner++) {
            bool has = grid_ratio(grid, i, planner, &ratio);
            found += has;
            tally->numbers[planner] += has;
            tally->lacking[i] += common->is_ranked[planner] && !has;
        }
        if (!found)
            tally->lacking[i] = UINT32_MAX;
    }
}

static void count_common(const struct tally *tally, struct common_lines *common)
{
    common->common = common->comparable = 0;
    for (uint32_t i = 0; i < tally->grid->lines; i++) {
        common->is_common[i] = !tally->lacking[i];
        common->common += common->is_common[i];
        common->is_comparable[i] = tally->lacking[i] != UINT32_MAX;
        common->comparable += common->is_comparable[i];
    }
}

static void clear_tally(struct tally *tally)
{
    names_free(&tally->unsafe_policies);
    memory_free_all(tally->numbers, tally->lacking);
}

enum status common_lines_find(const struct grid *grid, struct common_lines *common,
                              struct error *error)
{
    SCOPED(clear_tally) struct tally tally = {.grid = grid};
    TRY(memory_create_all(grid->planners.count, error, &tally.numbers, &common->is_ranked));
    TRY(memory_create_all(grid->lines, error, &tally.lacking, &common->is_common,
                          &common->is_comparable));
    /* Policies are unsafe where most plans of a line are refused: that is the fault of the policy
       and not of the planners. All lines of such a policy are left out, since a safe plan under it
       is a matter of chance. */
    for (uint32_t i = 0; i < grid->lines; i++)
        if (are_most_refused(grid, i) && !is_left_out(&tally, i))
            TRY(names_add(&tally.unsafe_policies, get_policy(grid, i), error));
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        common->is_ranked[i] = true;
        for (uint32_t k = 0; k < grid->lines && common->is_ranked[i]; k++)
            common->is_ranked[i] = !is_refused(grid, k, i) || is_left_out(&tally, k);
        common->ranked += common->is_ranked[i];
    }
    count_numbers(&tally, common);
    count_common(&tally, common);
    while (common->ranked > 1 && 2 * (uint64_t)common->common < common->comparable) {
        uint32_t planner = UINT32_MAX;
        for (uint32_t i = 0; i < grid->planners.count; i++)
            if (common->is_ranked[i] &&
                (planner == UINT32_MAX || tally.numbers[i] <= tally.numbers[planner]))
                planner = i;
        double ratio;
        assert(planner < grid->planners.count && common->is_ranked[planner]);
        common->is_ranked[planner] = false;
        common->ranked--;
        for (uint32_t i = 0; i < grid->lines; i++)
            if (tally.lacking[i] != UINT32_MAX && !grid_ratio(grid, i, planner, &ratio))
                tally.lacking[i]--;
        count_common(&tally, common);
    }
    return STATUS_OK;
}

void common_lines_free(struct common_lines *common)
{
    memory_free_all(common->is_ranked, common->is_common, common->is_comparable);
    *common = (struct common_lines){0};
}

double common_lines_mean_ratio(const struct common_lines *common, const struct grid *grid,
                               uint32_t planner, uint32_t *lines)
{
    double sum = 0, ratio;
    *lines = 0;
    for (uint32_t i = 0; i < grid->lines; i++) {
        if (!common->is_common[i] || !grid_ratio(grid, i, planner, &ratio) || ratio <= 0)
            continue;
        sum += log(ratio);
        ++*lines;
    }
    return *lines ? exp(sum / *lines) : 0;
}
