/* The table joint: graphs by exact planners, flat, region by region and as one joint problem, and
   what the recursion loses. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/views/policies.h"
#include "results/views/recipe.h"

static const uint32_t shown[] = {POLICIES_FLAT, POLICIES_RECURSIVE, POLICIES_PATH};
enum { SHOWN = sizeof shown / sizeof *shown, RECURSIVE = 1, JOINT = 2 };

/* What `recursive` loses to `path` on the instances for which some planner proves both optima. */
struct losses {
    uint32_t instances, losing;
    double sum, most; /* of ln(optimum of recursive / optimum of path) */
};

static bool is_proved(const struct result_row *row)
{
    return row && strcmp(row->status, RESULT_OPTIMAL) == 0 && query_worth(row) == RESULT_NUMBER;
}

/* A row where the planner proves one of the optima; true where both of recursive and path. */
static bool add_planner(struct table_making *making, const uint32_t line[SHOWN], uint32_t planner,
                        double *loss)
{
    const struct grid *grid = &making->contest.grid;
    const struct result_row *row[SHOWN], *any = NULL;
    char proved[64] = "";
    for (int i = 0; i < SHOWN; i++) {
        row[i] = line[i] == UINT32_MAX ? NULL : grid_at(grid, line[i], planner);
        if (!is_proved(row[i]))
            continue;
        any = row[i];
        snprintf(proved + strlen(proved), sizeof proved - strlen(proved), "%s%s",
                 *proved ? ", " : "", policies_name(shown[i]));
    }
    if (!any)
        return false;
    making->picker.used = true;
    table_add(making->table, cell_instance(any->instance),
              cell_text(names_get(&grid->planners, planner)));
    for (int i = 0; i < SHOWN; i++)
        table_add(making->table, row[i] ? picker_cell(&making->picker, row[i]) : cell_missing());
    bool both = is_proved(row[RECURSIVE]) && is_proved(row[JOINT]);
    uint64_t recursive = both ? row[RECURSIVE]->peak_bytes : 0;
    uint64_t joint = both ? row[JOINT]->peak_bytes : 0;
    table_add(making->table, picker_gap(both, recursive, joint), cell_text(proved));
    for (int i = RECURSIVE; i < SHOWN; i++)
        table_add(making->table,
                  cell_known_real(row[i], row[i] ? (double)row[i]->wall_ns / 1e6 : 0, 1));
    if (both)
        *loss = log((double)recursive / (double)joint);
    return both;
}

static uint32_t add_instance(struct table_making *making, uint32_t first, struct losses *losses)
{
    const struct grid *grid = &making->contest.grid;
    const struct result_row *rows = grid->set->row;
    uint32_t line[SHOWN] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, next = first;
    bool is_counted = false;
    double loss = 0;
    while (next < grid->lines &&
           strcmp(rows[grid->first[next]].instance, rows[grid->first[first]].instance) == 0) {
        for (int i = 0; i < SHOWN; i++)
            if (strcmp(rows[grid->first[next]].policy, policies_name(shown[i])) == 0)
                line[i] = next;
        next++;
    }
    for (uint32_t k = 0; k < grid->planners.count; k++)
        is_counted = add_planner(making, line, k, &loss) || is_counted;
    losses->instances += is_counted;
    losses->losing += loss > 0;
    losses->sum += loss;
    losses->most = fmax(losses->most, loss);
    return next;
}

static enum status fill(struct table_making *making)
{
    struct losses losses = {0};
    for (uint32_t line = 0; line < making->contest.grid.lines;)
        line = add_instance(making, line, &losses);
    table_add_note(
        making->table,
        "path is the joint problem of the whole graph: branches exclude each other, and a "
        "result has one address. recursive solves one problem for each region, from the "
        "inside, and takes it as a block. loss: how far the optimum of recursive is above "
        "that of path, where both are proved.");
    if (losses.instances)
        table_add_note(making->table,
                       "Both optima of %u instances are proved. The recursion loses on %u of them, "
                       "%.2f %% in the geometric mean over all, %.2f %% at most.",
                       losses.instances, losses.losing, 100 * expm1(losses.sum / losses.instances),
                       100 * expm1(losses.most));
    return STATUS_OK;
}

const struct table_recipe table_joint = {
    .name = "joint",
    .title = "exact planners on whole graphs: what recursive composition loses",
    .caption = "Whole graphs, region by region and as one problem",
    .columns =
        "instance | planner | flat (bytes): | recursive (bytes): | path (bytes): | loss (%): "
        "| proved | recursive (ms): | path (ms):",
    .source = TABLE_OF_CONTEST,
    .wanted = "graphs by exact planners under two policies: bench --suite luna --policy "
              "flat,recursive,path --planners ilp_cliques",
    .fill = fill,
};
