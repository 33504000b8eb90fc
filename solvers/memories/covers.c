#include "solvers/memories/covers.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

enum { MOST_FOUND = 100 }; /* in one search */
static const double least_violation = 1e-3;

struct item {
    uint32_t column;
    uint64_t weight;
    double value;
    uint32_t factor; /* in the row that is added */
};

/* What brings most weight for the least that is missing to 1 comes first. */
static int compare_items(const void *first, const void *second)
{
    const struct item *a = first, *b = second;
    double missing_a = (1 - a->value) * (double)b->weight;
    double missing_b = (1 - b->value) * (double)a->weight;
    if (missing_a != missing_b)
        return missing_a < missing_b ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

static int compare_weights(const void *first, const void *second)
{
    const struct item *a = first, *b = second;
    return a->weight != b->weight ? (a->weight < b->weight ? -1 : 1)
                                  : (a->column < b->column ? -1 : a->column > b->column);
}

/* Reads the row as weights of at most *most together; 0 where it is no such row, where no cover can
   be broken, or where there is none. */
static uint32_t read_row(const struct mip_model *program, uint32_t row, const double *values,
                         struct item *item, uint64_t *most)
{
    uint32_t count = 0;
    uint64_t sum = 0;
    bool fractional = false;
    if (program->row_equal[row] || program->row_bound[row] > 0)
        return 0;
    *most = (uint64_t)-program->row_bound[row];
    for (uint64_t i = program->row_first[row]; i < program->row_first[row + 1]; i++) {
        uint32_t column = program->row_column[i];
        double value = program->row_value[i];
        if (value >= 0 || program->column_lower[column] < 0 || program->column_upper[column] > 1)
            return 0;
        assert(value == -(double)(uint64_t)-value);
        assert(count < program->columns);
        item[count++] = (struct item){column, (uint64_t)-value, values[column], 0};
        fractional |= values[column] > 1e-6 && values[column] < 1 - 1e-6;
        sum += (uint64_t)-value;
    }
    return fractional && sum > *most ? count : 0;
}

/* Moves a cover to the front of the items, without what it does not need; how many it has. */
static uint32_t find_cover(struct item *item, uint32_t count, uint64_t most,
                           int (*compare)(const void *, const void *))
{
    uint32_t taken = 0, kept = 0;
    uint64_t sum = 0;
    qsort(item, count, sizeof *item, compare);
    while (taken < count && sum <= most)
        sum += item[taken++].weight;
    assert(sum > most);
    for (uint32_t i = taken; i > 0; i--)
        if (sum - item[i - 1].weight > most) {
            struct item dropped = item[i - 1];
            sum -= dropped.weight;
            taken--;
            for (kept = i - 1; kept < taken; kept++)
                item[kept] = item[kept + 1];
            item[taken] = dropped;
            assert(sum > most);
        }
    return taken;
}

/* What has the largest share of the relaxation comes first. */
static int compare_values(const void *first, const void *second)
{
    const struct item *a = first, *b = second;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->weight != b->weight ? (a->weight > b->weight ? -1 : 1)
                                  : (a->column < b->column ? -1 : a->column > b->column);
}

/* Adds the cover, in which every other item counts as often as is possible: in turn, its
   coefficient is what the others can have less where it is in, which the least weight for each sum
   of coefficients says in whole numbers (Zemel, Math. of Operations Research 14, 1989). */
static bool add_cover(struct mip_model *program, struct item *item, uint32_t count, uint32_t cover,
                      uint64_t most, uint64_t *lightest)
{
    uint32_t right = cover - 1, entries = 0;
    assert(cover > 0 && cover <= count);
    double sum = 0;
    qsort(item, cover, sizeof *item, compare_weights);
    qsort(item + cover, count - cover, sizeof *item, compare_values);
    lightest[0] = 0;
    for (uint32_t i = 0; i < cover; i++) {
        lightest[i + 1] = lightest[i] + item[i].weight;
        item[i].factor = 1;
    }
    assert(lightest[right] <= most && lightest[cover] > most);
    for (uint32_t i = cover; i < count; i++) {
        uint32_t others = right;
        if (item[i].weight > most)
            others = 0; /* it is never in */
        else
            while (lightest[others] > most - item[i].weight)
                others--;
        item[i].factor = right - others;
        for (uint32_t v = right; item[i].factor && v >= item[i].factor; v--)
            if (lightest[v - item[i].factor] + item[i].weight < lightest[v])
                lightest[v] = lightest[v - item[i].factor] + item[i].weight;
    }
    for (uint32_t i = 0; i < count; i++)
        sum += item[i].factor * item[i].value;
    if (sum < (double)right + least_violation)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (item[i].factor) {
            mip_add_entry(program, item[i].column, -(double)item[i].factor);
            entries++;
        }
    assert(entries >= cover);
    mip_close_row(program, -(double)right);
    return true;
}

void covers_separate(struct mip_model *program, const double *values)
{
    int (*const orders[])(const void *, const void *) = {compare_items, compare_values};
    SCOPED(memory_release) struct item *item = NULL;
    SCOPED(memory_release) uint64_t *lightest = NULL;
    uint32_t found = 0;
    uint64_t most;
    program->error.status = memory_create(&item, program->columns, sizeof *item, &program->error);
    if (!program->error.status)
        program->error.status = memory_create(&lightest, (size_t)program->columns + 1,
                                              sizeof *lightest, &program->error);
    for (uint32_t r = 0; r < program->own_rows && found < MOST_FOUND && !program->error.status;
         r++) {
        uint32_t count = read_row(program, r, values, item, &most);
        bool added = false;
        for (size_t i = 0; i < sizeof orders / sizeof *orders && count && !added; i++) {
            uint32_t cover = find_cover(item, count, most, orders[i]);
            added = program->entries < MIP_MOST_ENTRIES &&
                    add_cover(program, item, count, cover, most, lightest);
        }
        found += added;
    }
}
