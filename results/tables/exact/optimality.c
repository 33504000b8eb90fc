/* The table optimality: for each instance of up to MOST_BUFFERS buffers the proved optimum, the
   answer and the time of each solver, and how far the heuristics are from the optimum. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "results/views/recipe.h"
#include "results/views/roles.h"

enum { MOST_BUFFERS = 500, HEURISTIC_COLUMNS = 5 };

struct proofs {
    uint32_t lines, proved;
    uint64_t wall_ns;
};

struct gap {
    double ratio;
    uint32_t planner;
};

struct optimality {
    const struct grid *grid;
    struct picker *picker;
    struct table *table;
    struct proofs *of; /* [planners] */
    struct gap *gap;   /* [planners] of a line */
    uint32_t lines, settled;
    uint32_t met; /* number of lines on which some heuristic reaches the optimum or the bound */
};

/* Sorts by gap. Planners are sorted by name already, which decides between equal gaps. */
COMPARE_BY(compare_gaps, struct gap, compare_reals(a->ratio, b->ratio),
           compare_numbers(a->planner, b->planner))

static const char *name_planner(const struct optimality *optimality, uint32_t planner)
{
    return names_get(&optimality->grid->planners, planner);
}

/* Where there is no room for all columns, times are left out first, then buffers,
   then the median. */
static void add_columns(const struct optimality *optimality)
{
    struct table *table = optimality->table;
    char heading[128];
    for (uint32_t i = 0; i < optimality->grid->planners.count; i++)
        if (roles_is_prover(name_planner(optimality, i))) {
            table_add_column(table, name_planner(optimality, i), "", TABLE_LEFT);
            snprintf(heading, sizeof heading, "%s time", name_planner(optimality, i));
            table_add_column(table, heading, "ms", TABLE_RIGHT);
            if (!table->failed)
                table_rank_column(table, table_columns(table) - 1, 3);
        }
    table_add_columns(table, "best heuristic | its gap (%): | at the optimum: | "
                             "median gap (%): ~1 | worst gap (%):");
}

static uint64_t find_best(const struct grid *grid, uint32_t line)
{
    uint64_t best = 0, peak;
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        const struct result_row *row = grid_at(grid, line, i);
        if (picker_peak(row, &peak) && !row->split_buffers && (!best || peak < best))
            best = peak;
    }
    return best;
}

static void add_optimum(struct optimality *optimality, uint32_t line)
{
    const struct grid *grid = optimality->grid;
    uint64_t bound = grid->set->bound_bytes[grid->first[line]], best = find_best(grid, line);
    optimality->lines++;
    optimality->settled += best && best == bound;
    table_add(optimality->table, !best ? cell_missing()
                                 : best == bound
                                     ? cell_number(best)
                                     : cell_words("%" PRIu64 " to %" PRIu64, bound, best));
}

static void add_proof(struct optimality *optimality, uint32_t line, uint32_t planner)
{
    const struct result_row *row = grid_at(optimality->grid, line, planner);
    struct proofs *proofs = &optimality->of[planner];
    if (!row) {
        table_repeat(optimality->table, 2, cell_missing());
        optimality->picker->missing++;
        return;
    }
    table_add(optimality->table, cell_text(row->status), cell_real((double)row->wall_ns / 1e6, 3));
    proofs->lines++;
    proofs->proved += strcmp(row->status, RESULT_OPTIMAL) == 0;
    proofs->wall_ns += row->wall_ns;
    optimality->picker->used = true;
}

/* Lists the gaps of the heuristics on a line, without plans that split buffers, in ascending
   order. */
static uint32_t list_gaps(struct optimality *optimality, uint32_t line)
{
    const struct grid *grid = optimality->grid;
    uint32_t count = 0;
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        const struct result_row *row = grid_at(grid, line, i);
        struct gap gap = {.planner = i};
        if (roles_is_prover(name_planner(optimality, i)))
            continue;
        optimality->picker->missing += !row;
        optimality->picker->used |= row != NULL;
        if (row && !row->split_buffers && grid_ratio(grid, line, i, &gap.ratio))
            optimality->gap[count++] = gap;
    }
    qsort(optimality->gap, count, sizeof *optimality->gap, compare_gaps);
    return count;
}

/* The mean of two gaps, which may be the same one. */
static struct cell mean_gap(const struct gap *gap, uint32_t index, uint32_t other)
{
    return cell_real(100 * ((gap[index].ratio + gap[other].ratio) / 2 - 1), 2);
}

static void add_gaps(struct optimality *optimality, uint32_t line)
{
    const struct gap *gap = optimality->gap;
    uint32_t count = list_gaps(optimality, line), least = 0;
    if (!count) {
        table_repeat(optimality->table, HEURISTIC_COLUMNS, cell_missing());
        return;
    }
    while (least < count && gap[least].ratio <= 1)
        least++;
    table_add(optimality->table, cell_text(name_planner(optimality, gap[0].planner)),
              mean_gap(gap, 0, 0), cell_words("%" PRIu32 " of %" PRIu32, least, count),
              mean_gap(gap, (count - 1) / 2, count / 2), mean_gap(gap, count - 1, count - 1));
    optimality->met += least > 0;
}

static void add_foot(struct optimality *optimality)
{
    const struct grid *grid = optimality->grid;
    struct table *table = optimality->table;
    table_add(table, cell_text("proved, time in all; some heuristic at the optimum"), cell_text(""),
              cell_text(""), cell_text(""));
    for (uint32_t i = 0; i < grid->planners.count; i++)
        if (roles_is_prover(name_planner(optimality, i)))
            table_add(table,
                      cell_words("%u of %u", optimality->of[i].proved, optimality->of[i].lines),
                      cell_real((double)optimality->of[i].wall_ns / 1e6, 3));
    table_add(table, cell_text(""), cell_text(""),
              cell_words("on %u of %u", optimality->met, optimality->lines), cell_text(""),
              cell_text(""));
    table_set_foot(table, 1);
}

static void add_all(struct optimality *optimality)
{
    const struct grid *grid = optimality->grid;
    add_columns(optimality);
    for (uint32_t i = 0; i < grid->lines; i++)
        if (grid->set->row[grid->first[i]].buffers <= MOST_BUFFERS) {
            const struct result_row *first = &grid->set->row[grid->first[i]];
            table_add(optimality->table, cell_instance(first->instance), cell_text(first->policy),
                      cell_number(first->buffers));
            add_optimum(optimality, i);
            for (uint32_t k = 0; k < grid->planners.count; k++)
                if (roles_is_prover(name_planner(optimality, k)))
                    add_proof(optimality, i, k);
            add_gaps(optimality, i);
        }
    add_foot(optimality);
    bool is_all = optimality->settled == optimality->lines;
    table_add_note(
        optimality->table,
        "The optimum is proved for %u of %u%s. Instances of up to %d buffers. The gaps are to the "
        "optimum%s; those of each heuristic on each instance are in the table gaps, and over all "
        "instances in the table leaderboard.",
        optimality->settled, optimality->lines,
        is_all ? "" : "; elsewhere the best bound and the best plan known", MOST_BUFFERS,
        is_all ? "" : " or that bound");
    picker_add_notes(optimality->picker, optimality->table);
}

static enum status fill(struct table_making *making)
{
    const struct grid *grid = &making->contest.grid;
    size_t planners = grid->planners.count + (size_t)1;
    SCOPED(memory_release) struct proofs *of = NULL;
    SCOPED(memory_release) struct gap *gap = NULL;
    TRY(memory_create_all(planners, making->error, &of, &gap));
    add_all(&(struct optimality){
        .grid = grid, .picker = &making->picker, .table = making->table, .of = of, .gap = gap});
    return STATUS_OK;
}

const struct table_recipe table_optimality = {
    .name = "optimality",
    .title = "proven optima up to 500 buffers: solvers' status and time, heuristics' gaps",
    .caption = "Proven optima, and the heuristics against them",
    .columns = "instance | policy | buffers: ~2 | optimum (bytes):",
    .source = TABLE_OF_CONTEST,
    .wanted = "the results of any bench run",
    .fill = fill,
};
