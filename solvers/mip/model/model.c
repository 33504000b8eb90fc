#include "solvers/mip/model/model.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "planning/problem/bounds.h"
#include "planning/problem/unit.h"

static int compare_pairs(const void *left, const void *right)
{
    const struct mip_pair *a = left, *b = right;
    const uint64_t x[] = {a->first,       a->second,       a->first_lower,
                          a->first_upper, a->second_lower, a->second_upper};
    const uint64_t y[] = {b->first,       b->second,       b->first_lower,
                          b->first_upper, b->second_lower, b->second_upper};
    for (int i = 0; i < 6; i++)
        if (x[i] != y[i])
            return compare_numbers(x[i], y[i]);
    return 0;
}

/* A segment, whose window it is, and its buffer. */
struct window {
    uint32_t buffer, segment;
};

static struct mip_pair make_pair(const struct mip_pairs *pairs, struct window first,
                                 struct window second)
{
    assert(first.buffer < second.buffer);
    const struct problem *problem = pairs->problem;
    uint64_t scale = pairs->scale;
    return (struct mip_pair){.first = first.buffer,
                             .second = second.buffer,
                             .first_lower = problem_window_lower(problem, first.segment) / scale,
                             .first_upper = problem_window_upper(problem, first.segment) / scale,
                             .second_lower = problem_window_lower(problem, second.segment) / scale,
                             .second_upper = problem_window_upper(problem, second.segment) / scale};
}

/* Ordered pairs of members over all sections: the entries of the clique rows. */
static uint64_t count_entries(const struct sections *sections)
{
    uint64_t entries = 0;
    for (uint32_t s = 0; s < sections->count; s++) {
        uint64_t members = sections->first[s + 1] - sections->first[s];
        entries += members * members;
    }
    return entries;
}

/* The segment of a section's member. */
static struct window get_window(const struct sections *sections, uint64_t member)
{
    return (struct window){sections->member[member], sections->segment[member]};
}

/* Fills pair and count; problem and scale are given. O(entries log entries). */
static enum status collect_pairs(struct mip_pairs *pairs, const struct sections *sections,
                                 struct error *error)
{
    uint32_t count = 0;
    assert(pairs->scale > 0);
    TRY(memory_create(&pairs->pair, count_entries(sections) / 2, sizeof *pairs->pair, error));
    struct mip_pair *pair = pairs->pair;
    for (uint32_t s = 0; s < sections->count; s++)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
            for (uint64_t j = i + 1; j < sections->first[s + 1]; j++) {
                assert(sections->member[i] < sections->member[j]);
                pair[count++] = make_pair(pairs, get_window(sections, i), get_window(sections, j));
            }
    assert(2 * (uint64_t)count <= count_entries(sections));
    qsort(pair, count, sizeof *pair, compare_pairs);
    for (uint32_t i = 0; i < count; i++) /* each pair once */
        if (!pairs->count || compare_pairs(&pair[pairs->count - 1], &pair[i]) != 0)
            pair[pairs->count++] = pair[i];
    return STATUS_OK;
}

/* The pair that two windows make, which must be live together, and whether the buffer of the one is
   its first. */
static uint32_t find_pair(const struct mip_pairs *pairs, struct window one, struct window other,
                          bool *one_is_first)
{
    assert(one.buffer != other.buffer);
    *one_is_first = one.buffer < other.buffer;
    struct mip_pair key =
        *one_is_first ? make_pair(pairs, one, other) : make_pair(pairs, other, one);
    const struct mip_pair *found =
        bsearch(&key, pairs->pair, pairs->count, sizeof key, compare_pairs);
    assert(found);
    return (uint32_t)(found - pairs->pair);
}

struct builder {
    struct mip_model *model;
    const struct sections *sections;
    struct error *error;
};

uint64_t mip_model_factor(const struct mip_model *model, uint32_t buffer)
{
    assert(buffer < model->problem->buffers && model->scale > 0);
    uint64_t alignment = problem_alignment(model->problem, buffer);
    return model->scale % alignment == 0 ? 1 : alignment / model->scale;
}

static enum status open_row(struct builder *builder, double bound)
{
    struct mip_model *model = builder->model;
    TRY(memory_reserve(&model->row_first, &model->row_capacity[0], (size_t)model->rows + 2,
                       sizeof *model->row_first, builder->error));
    TRY(memory_reserve(&model->row_bound, &model->row_capacity[1], (size_t)model->rows + 1,
                       sizeof *model->row_bound, builder->error));
    if (!model->rows)
        model->row_first[0] = 0;
    model->row_bound[model->rows++] = bound;
    model->row_first[model->rows] = model->row_first[model->rows - 1];
    return STATUS_OK;
}

static enum status add_entry(struct builder *builder, uint32_t column, double value)
{
    struct mip_model *model = builder->model;
    uint64_t entry = model->row_first[model->rows];
    assert(model->rows > 0 && column < model->columns);
    TRY(memory_reserve(&model->row_column, &model->value_capacity[0], entry + 1,
                       sizeof *model->row_column, builder->error));
    TRY(memory_reserve(&model->row_value, &model->value_capacity[1], entry + 1,
                       sizeof *model->row_value, builder->error));
    model->row_column[entry] = column;
    model->row_value[entry] = value;
    model->row_first[model->rows]++;
    return STATUS_OK;
}

/* The row offset[upper] - offset[lower] + slope * z >= bound, for the binary z of a pair. */
static enum status add_order_row(struct builder *builder, uint32_t upper, uint32_t lower,
                                 uint32_t pair, double slope, double bound)
{
    assert(upper != lower && pair < builder->model->pairs.count);
    TRY(open_row(builder, bound));
    TRY(add_entry(builder, 1 + upper, 1));
    TRY(add_entry(builder, 1 + lower, -1));
    return add_entry(builder, builder->model->first_pair + pair, slope);
}

/* For one of the members begin .. end - 1 of a section, adds the row that sums up the bytes of all
   others that lie below that member, or above it. */
static enum status add_clique_row(struct builder *builder, uint64_t begin, uint64_t end,
                                  uint64_t member, bool below)
{
    struct mip_model *model = builder->model;
    const struct problem *problem = model->problem;
    struct window window = get_window(builder->sections, member);
    uint64_t edge = below ? problem_window_lower(problem, window.segment)
                          : problem_window_upper(problem, window.segment);
    double edge_units = (double)(edge / model->scale), bound = below ? -edge_units : edge_units;
    assert(begin <= member && member < end);
    TRY(open_row(builder, 0));
    if (!below)
        TRY(add_entry(builder, 0, 1));
    TRY(add_entry(builder, 1 + window.buffer, below ? 1 : -1));
    for (uint64_t j = begin; j < end; j++) {
        struct window other = get_window(builder->sections, j);
        bool is_first;
        if (j == member)
            continue;
        uint32_t pair = find_pair(&model->pairs, window, other, &is_first);
        double bytes = (double)((problem_window_upper(problem, other.segment) -
                                 problem_window_lower(problem, other.segment)) /
                                model->scale);
        /* Where a binary is 0 for what lies on this side, the right side of the row counts its
           bytes and the coefficient takes them back where it is 1. */
        bool counted_at_one = below != is_first;
        bound += counted_at_one ? 0 : bytes;
        TRY(add_entry(builder, model->first_pair + pair, counted_at_one ? -bytes : bytes));
    }
    model->row_bound[model->rows - 1] = bound;
    return STATUS_OK;
}

static enum status add_rows(struct builder *builder)
{
    const struct mip_model *model = builder->model;
    const struct sections *sections = builder->sections;
    const uint64_t *size = model->problem->size;
    uint32_t buffers = model->problem->buffers, column = model->first_pair + model->pairs.count;
    for (uint32_t p = 0; p < model->pairs.count; p++) {
        struct mip_pair pair = model->pairs.pair[p];
        assert(size[pair.first] / model->scale <= model->upper);
        assert(size[pair.second] / model->scale <= model->upper);
        double first_room = (double)(model->upper - size[pair.first] / model->scale);
        double second_room = (double)(model->upper - size[pair.second] / model->scale);
        double first_below = (double)pair.first_upper - (double)pair.second_lower;
        double second_below = (double)pair.second_upper - (double)pair.first_lower;
        TRY(add_order_row(builder, pair.second, pair.first, p, -(first_below + first_room),
                          -first_room));
        TRY(add_order_row(builder, pair.first, pair.second, p, second_below + second_room,
                          second_below));
    }
    for (uint32_t b = 0; b < buffers; b++) { /* the peak is no lower than the end of a buffer */
        TRY(open_row(builder, (double)(size[b] / model->scale)));
        TRY(add_entry(builder, 0, 1));
        TRY(add_entry(builder, 1 + b, -1));
    }
    for (uint32_t b = 0; b < buffers; b++) {
        double factor = (double)mip_model_factor(model, b);
        for (int sign = 1; sign >= -1 && factor > 1; sign -= 2) {
            TRY(open_row(builder, 0));
            TRY(add_entry(builder, 1 + b, sign));
            TRY(add_entry(builder, column, -sign * factor));
        }
        column += factor > 1;
    }
    assert(column == model->columns);
    for (uint32_t s = 0; s < sections->count; s++)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
            for (int above = 0; above < 2; above++)
                TRY(add_clique_row(builder, sections->first[s], sections->first[s + 1], i, !above));
    return STATUS_OK;
}

static void set_column(struct mip_model *model, uint32_t column, double lower, double upper,
                       bool integer)
{
    assert(column < model->columns && lower <= upper);
    model->column_lower[column] = lower;
    model->column_upper[column] = upper;
    model->integer[column] = integer;
}

/* The pair whose binary is fixed, since the mirror image of a plan is a plan: the one with the most
   bytes together, as fixing it says most. */
static uint32_t find_mirror_pair(const struct mip_model *model)
{
    const struct problem *problem = model->problem;
    uint32_t best = UINT32_MAX;
    uint64_t most_bytes = 0;
    if (problem_has_windows(problem))
        return UINT32_MAX;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE || mip_model_factor(model, b) > 1)
            return UINT32_MAX;
    for (uint32_t p = 0; p < model->pairs.count; p++) {
        uint64_t bytes =
            problem->size[model->pairs.pair[p].first] + problem->size[model->pairs.pair[p].second];
        if (bytes > most_bytes) {
            most_bytes = bytes;
            best = p;
        }
    }
    return best;
}

static enum status create_columns(struct mip_model *model, struct error *error)
{
    const struct problem *problem = model->problem;
    uint32_t column = model->first_pair = 1 + problem->buffers;
    model->columns = model->first_pair + model->pairs.count;
    for (uint32_t b = 0; b < problem->buffers; b++)
        model->columns += mip_model_factor(model, b) > 1;
    model->mirror_pair = find_mirror_pair(model);
    TRY(memory_create(&model->integer, model->columns, sizeof(bool), error));
    TRY(memory_create(&model->column_lower, model->columns, sizeof(double), error));
    TRY(memory_create(&model->column_upper, model->columns, sizeof(double), error));
    set_column(model, 0, (double)model->bound, (double)model->upper, true);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        assert(problem->size[b] % model->scale == 0);
        double room = (double)(model->upper - problem->size[b] / model->scale);
        double fixed = (double)(problem_fixed_offset(problem, b) / model->scale);
        bool is_free = problem_fixed_offset(problem, b) == PROBLEM_FREE;
        set_column(model, 1 + b, is_free ? 0 : fixed, is_free ? room : fixed, false);
    }
    for (uint32_t p = 0; p < model->pairs.count; p++)
        set_column(model, column++, p == model->mirror_pair, 1, true);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (mip_model_factor(model, b) > 1)
            set_column(model, column++, 0, (double)(model->upper / mip_model_factor(model, b)),
                       true);
    assert(column == model->columns);
    return STATUS_OK;
}

enum status mip_model_create(const struct problem *problem, uint64_t upper_bytes,
                             struct mip_model **created, struct error *error)
{
    SCOPED(mip_model_release) struct mip_model *model = NULL;
    SCOPED(sections_release) struct sections *sections = NULL;
    uint64_t bound_bytes;
    *created = NULL;
    TRY(sections_create(problem, &sections, error));
    if (count_entries(sections) > MIP_MOST_ENTRIES / 2)
        return STATUS_OK;
    TRY(bound_peak(problem, &bound_bytes, error));
    TRY(memory_create(&model, 1, sizeof *model, error));
    model->problem = problem;
    model->scale = problem_unit_bytes(problem);
    model->bound = bound_bytes / model->scale;
    model->upper = upper_bytes / model->scale;
    model->pairs = (struct mip_pairs){.problem = problem, .scale = model->scale};
    assert(model->bound <= model->upper);
    TRY(collect_pairs(&model->pairs, sections, error));
    TRY(create_columns(model, error));
    struct builder builder = {model, sections, error};
    TRY(add_rows(&builder));
    *created = model;
    model = NULL;
    return STATUS_OK;
}

void mip_model_free(struct mip_model *model)
{
    if (!model)
        return;
    memory_free(model->integer);
    memory_free(model->column_lower);
    memory_free(model->column_upper);
    memory_free(model->pairs.pair);
    memory_free(model->row_first);
    memory_free(model->row_bound);
    memory_free(model->row_column);
    memory_free(model->row_value);
    memory_free(model);
}
