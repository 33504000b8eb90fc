/* The table shapes: how far planners come on problems of one shape in several sizes, the worst
   shape first. The shape of a generated problem is its name without seed and number of buffers,
   that of a perturbed one the rule. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/groups.h"
#include "core/memory.h"
#include "results/views/recipe.h"

/* A planner on the problems of a shape. */
struct shape_row {
    uint32_t shape, planner, problems, solved;
    uint32_t worst_line;
    double median_percent, worst_percent; /* above the bound, where there is a peak */
    double least_median, least_worst;     /* of all planners on the shape */
};

struct shapes {
    struct names names;
    uint32_t *shape_of; /* [lines] the shapes and, for all others, one number more */
    struct groups lines;
    struct shape_row *row; /* [shapes * planners] */
    uint32_t rows;
    double *percent; /* [lines] of a row */
};

static void release_shapes(struct shapes *shapes)
{
    names_free(&shapes->names);
    groups_free(&shapes->lines);
    memory_free_all(shapes->shape_of, shapes->row, shapes->percent);
}

/* The parameters of a name but for seed and buffers, behind what stands before them. */
static void append_shape(const char *name, const char *end, struct text *shape)
{
    const char *options = memchr(name, '?', (size_t)(end - name));
    char separator = '?';
    text_append_bytes(shape, name, (size_t)((options ? options : end) - name));
    while (options) {
        const char *option = options + 1;
        options = memchr(option, '&', (size_t)(end - option));
        if (strncmp(option, "seed=", 5) != 0 && strncmp(option, "buffers=", 8) != 0) {
            text_append_bytes(shape, &separator, 1);
            text_append_bytes(shape, option, (size_t)((options ? options : end) - option));
            separator = '&';
        }
    }
}

/* Leaves an empty text where the instance has no shape. */
static void find_shape(const char *instance, struct text *shape)
{
    static const char generated[] = "generate:", perturbed[] = "perturbed:";
    size_t length = sizeof generated - 1;
    shape->length = 0;
    if (strncmp(instance, generated, length) == 0)
        append_shape(instance + length, strchr(instance, '\0'), shape);
    length = sizeof perturbed - 1;
    if (strncmp(instance, perturbed, length) == 0)
        append_shape(instance + length, strchr(instance + length, ':'), shape);
}

static enum status sort_lines(const struct grid *grid, struct shapes *shapes, struct error *error)
{
    SCOPED(text_free) struct text shape = {0};
    TRY(memory_create(&shapes->shape_of, grid->lines + (size_t)1, sizeof(uint32_t), error));
    for (uint32_t i = 0; i < grid->lines; i++) {
        find_shape(grid->set->row[grid->first[i]].instance, &shape);
        TRY(text_check(&shape, error));
        const char *name = shape.length ? shape.bytes : "";
        uint32_t known = *name ? names_find(&shapes->names, name) : UINT32_MAX;
        if (*name && known == NAMES_NONE) {
            known = shapes->names.count;
            TRY(names_add(&shapes->names, name, error));
        }
        shapes->shape_of[i] = known;
    }
    for (uint32_t i = 0; i < grid->lines; i++)
        if (shapes->shape_of[i] == UINT32_MAX)
            shapes->shape_of[i] = shapes->names.count;
    return groups_create(&shapes->lines, shapes->names.count + 1, shapes->shape_of, grid->lines,
                         error);
}

/* False where the planner was not run on any problem of the shape. */
static bool judge(const struct grid *grid, struct shapes *shapes, struct shape_row *row)
{
    const struct groups *lines = &shapes->lines;
    uint32_t peaks = 0;
    for (uint64_t i = lines->first[row->shape]; i < lines->first[row->shape + 1]; i++) {
        double ratio;
        row->problems += grid_at(grid, lines->item[i], row->planner) != NULL;
        if (!grid_ratio(grid, lines->item[i], row->planner, &ratio))
            continue;
        double percent = 100 * (ratio - 1);
        row->solved += percent <= 0;
        if (!peaks || percent > row->worst_percent) {
            row->worst_percent = percent;
            row->worst_line = lines->item[i];
        }
        shapes->percent[peaks++] = percent;
    }
    if (!peaks)
        return false;
    qsort(shapes->percent, peaks, sizeof *shapes->percent, compare_real_items);
    row->median_percent = (shapes->percent[(peaks - 1) / 2] + shapes->percent[peaks / 2]) / 2;
    return true;
}

static void judge_all(const struct grid *grid, struct shapes *shapes)
{
    for (uint32_t shape = 0; shape < shapes->names.count; shape++) {
        uint32_t first = shapes->rows;
        double median = INFINITY, worst = INFINITY;
        for (uint32_t i = 0; i < grid->planners.count; i++) {
            struct shape_row *row = &shapes->row[shapes->rows];
            *row = (struct shape_row){.shape = shape, .planner = i};
            if (!judge(grid, shapes, row))
                continue;
            median = fmin(median, row->median_percent);
            worst = fmin(worst, row->worst_percent);
            shapes->rows++;
        }
        for (uint32_t i = first; i < shapes->rows; i++) {
            shapes->row[i].least_median = median;
            shapes->row[i].least_worst = worst;
        }
    }
}

COMPARE_BY(compare_rows, struct shape_row, compare_reals(b->least_median, a->least_median),
           compare_reals(b->least_worst, a->least_worst), compare_numbers(a->shape, b->shape),
           compare_reals(a->median_percent, b->median_percent),
           compare_reals(a->worst_percent, b->worst_percent),
           compare_numbers(a->planner, b->planner))

static enum status fill(struct table_making *making)
{
    const struct grid *grid = &making->contest.grid;
    SCOPED(release_shapes) struct shapes shapes = {.rows = 0};
    TRY(sort_lines(grid, &shapes, making->error));
    TRY(memory_create(&shapes.row, (size_t)shapes.names.count * grid->planners.count + 1,
                      sizeof *shapes.row, making->error));
    TRY(memory_create(&shapes.percent, grid->lines + (size_t)1, sizeof *shapes.percent,
                      making->error));
    judge_all(grid, &shapes);
    qsort(shapes.row, shapes.rows, sizeof *shapes.row, compare_rows);
    for (uint32_t i = 0; i < shapes.rows; i++) {
        const struct shape_row *row = &shapes.row[i];
        const struct result_row *worst = &grid->set->row[grid->first[row->worst_line]];
        table_add(making->table, cell_text(names_get(&shapes.names, row->shape)),
                  cell_text(names_get(&grid->planners, row->planner)), cell_number(row->problems),
                  cell_number(row->solved), cell_real(row->median_percent, 2),
                  cell_real(row->worst_percent, 2),
                  cell_known(row->worst_percent > 0, worst->buffers));
    }
    making->picker.used = shapes.rows > 0;
    table_add_note(making->table,
                   "The shape of a generated problem is its name without seed and buffers, that of "
                   "a perturbed one the rule. Solved: at the best known bound, to which the gaps "
                   "are; the shape with the greatest least median gap comes first. "
                   "bench --suite shapes has twelve shapes in five sizes.");
    picker_add_notes(&making->picker, making->table);
    return STATUS_OK;
}

const struct table_recipe table_shapes = {
    .name = "shapes",
    .title = "how far planners come on each shape of generated problems, the worst first",
    .caption = "Shapes of problems, the worst first",
    .columns = "shape | planner | problems: | solved: | median gap (%): | worst gap (%): | "
               "worst at (buffers):",
    .source = TABLE_OF_CONTEST,
    .wanted = "results on generated or perturbed problems: bench --suite shapes",
    .fill = fill,
};
