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

static struct mip_pair make_pair(const struct mip_pairs *pairs, struct mip_window first,
                                 struct mip_window second)
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

uint64_t mip_pairs_entries(const struct sections *sections)
{
    uint64_t entries = 0;
    for (uint32_t s = 0; s < sections->count; s++) {
        uint64_t members = sections->first[s + 1] - sections->first[s];
        entries += members * members;
    }
    return entries;
}

static uint32_t drop_repeated(struct mip_pair *pair, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!kept || compare_pairs(&pair[kept - 1], &pair[i]) != 0)
            pair[kept++] = pair[i];
    return kept;
}

/* The segment of a section's member. */
static struct mip_window get_window(const struct sections *sections, uint64_t member)
{
    return (struct mip_window){sections->member[member], sections->segment[member]};
}

enum status mip_pairs_collect(struct mip_pairs *pairs, const struct sections *sections,
                              struct error *error)
{
    uint32_t count = 0;
    assert(pairs->scale > 0);
    TRY(memory_create(&pairs->pair, mip_pairs_entries(sections) / 2, sizeof *pairs->pair, error));
    for (uint32_t s = 0; s < sections->count; s++)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
            for (uint64_t j = i + 1; j < sections->first[s + 1]; j++) {
                assert(sections->member[i] < sections->member[j]);
                pairs->pair[count++] =
                    make_pair(pairs, get_window(sections, i), get_window(sections, j));
            }
    assert(2 * (uint64_t)count <= mip_pairs_entries(sections));
    qsort(pairs->pair, count, sizeof *pairs->pair, compare_pairs);
    pairs->count = drop_repeated(pairs->pair, count);
    return STATUS_OK;
}

uint32_t mip_pairs_find(const struct mip_pairs *pairs, struct mip_window one,
                        struct mip_window other, bool *one_is_first)
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
    uint32_t aligned; /* buffers that get a column for their alignment */
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

/* offset[upper] - offset[lower] + slope * z >= bound, for the binary z of a pair. */
struct order_row {
    uint32_t upper, lower, pair;
    double slope, bound;
};

static enum status add_order_row(struct builder *builder, const struct order_row *row)
{
    assert(row->upper != row->lower && row->pair < builder->model->pairs.count);
    TRY(open_row(builder, row->bound));
    TRY(add_entry(builder, 1 + row->upper, 1));
    TRY(add_entry(builder, 1 + row->lower, -1));
    return add_entry(builder, builder->model->first_pair + row->pair, row->slope);
}

static enum status add_pair_rows(struct builder *builder, uint32_t p)
{
    const struct mip_model *model = builder->model;
    const struct mip_pair *pair = &model->pairs.pair[p];
    const uint64_t *size = model->problem->size;
    assert(size[pair->first] / model->scale <= model->upper);
    assert(size[pair->second] / model->scale <= model->upper);
    double first_room = (double)(model->upper - size[pair->first] / model->scale);
    double second_room = (double)(model->upper - size[pair->second] / model->scale);
    double first_below = (double)pair->first_upper - (double)pair->second_lower;
    double second_below = (double)pair->second_upper - (double)pair->first_lower;
    const struct order_row second_above = {.upper = pair->second,
                                           .lower = pair->first,
                                           .pair = p,
                                           .slope = -(first_below + first_room),
                                           .bound = -first_room};
    const struct order_row first_above = {.upper = pair->first,
                                          .lower = pair->second,
                                          .pair = p,
                                          .slope = second_below + second_room,
                                          .bound = second_below};
    TRY(add_order_row(builder, &second_above));
    return add_order_row(builder, &first_above);
}

static enum status add_peak_row(struct builder *builder, uint32_t buffer)
{
    const struct mip_model *model = builder->model;
    TRY(open_row(builder, (double)(model->problem->size[buffer] / model->scale)));
    TRY(add_entry(builder, 0, 1));
    return add_entry(builder, 1 + buffer, -1);
}

/* A clique row: for one of the members begin .. end - 1 of a section, it sums up the bytes of all
   others that lie below that member, or above it. */
struct clique_row {
    uint64_t begin, end, member;
    bool below;
    double constant; /* what moves to the right side of the row */
};

/* Adds the bytes of the other members that lie on the row's side of its member. Where a binary is 0
   for these, the constant counts all their bytes and the coefficient takes them back where it is
   1. */
static enum status add_others(struct builder *builder, struct clique_row *row)
{
    const struct mip_model *model = builder->model;
    for (uint64_t j = row->begin; j < row->end; j++) {
        struct mip_window other = get_window(builder->sections, j);
        bool is_first;
        if (j == row->member)
            continue;
        uint32_t pair = mip_pairs_find(&model->pairs, get_window(builder->sections, row->member),
                                       other, &is_first);
        double bytes = (double)((problem_window_upper(model->problem, other.segment) -
                                 problem_window_lower(model->problem, other.segment)) /
                                model->scale);
        bool counted_at_one = row->below != is_first;
        row->constant += counted_at_one ? 0 : bytes;
        TRY(add_entry(builder, model->first_pair + pair, counted_at_one ? -bytes : bytes));
    }
    return STATUS_OK;
}

static enum status add_clique_row(struct builder *builder, struct clique_row row)
{
    assert(row.begin <= row.member && row.member < row.end);
    struct mip_model *model = builder->model;
    const struct problem *problem = model->problem;
    struct mip_window window = get_window(builder->sections, row.member);
    uint64_t edge = row.below ? problem_window_lower(problem, window.segment)
                              : problem_window_upper(problem, window.segment);
    double edge_units = (double)(edge / model->scale);
    row.constant = row.below ? -edge_units : edge_units;
    TRY(open_row(builder, 0));
    if (!row.below)
        TRY(add_entry(builder, 0, 1));
    TRY(add_entry(builder, 1 + window.buffer, row.below ? 1 : -1));
    TRY(add_others(builder, &row));
    model->row_bound[model->rows - 1] = row.constant;
    return STATUS_OK;
}

static enum status add_section_rows(struct builder *builder, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin; i < end; i++)
        for (int above = 0; above < 2; above++)
            TRY(add_clique_row(builder, (struct clique_row){begin, end, i, !above, 0}));
    return STATUS_OK;
}

static enum status add_alignment_row(struct builder *builder, uint32_t column, uint32_t buffer,
                                     double sign)
{
    TRY(open_row(builder, 0));
    TRY(add_entry(builder, 1 + buffer, sign));
    return add_entry(builder, column, -sign * (double)mip_model_factor(builder->model, buffer));
}

static enum status add_rows(struct builder *builder)
{
    const struct mip_model *model = builder->model;
    uint32_t column = model->first_pair + model->pairs.count;
    for (uint32_t p = 0; p < model->pairs.count; p++)
        TRY(add_pair_rows(builder, p));
    for (uint32_t b = 0; b < model->problem->buffers; b++)
        TRY(add_peak_row(builder, b));
    for (uint32_t b = 0; b < model->problem->buffers; b++)
        if (mip_model_factor(model, b) > 1) {
            TRY(add_alignment_row(builder, column, b, 1));
            TRY(add_alignment_row(builder, column++, b, -1));
        }
    assert(column == model->columns);
    const struct sections *sections = builder->sections;
    for (uint32_t s = 0; s < sections->count; s++)
        TRY(add_section_rows(builder, sections->first[s], sections->first[s + 1]));
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

static void set_offset_column(struct mip_model *model, uint32_t buffer)
{
    assert(model->problem->size[buffer] % model->scale == 0);
    const struct problem *problem = model->problem;
    double room = (double)(model->upper - problem->size[buffer] / model->scale);
    double fixed = (double)(problem_fixed_offset(problem, buffer) / model->scale);
    if (problem_fixed_offset(problem, buffer) == PROBLEM_FREE)
        set_column(model, 1 + buffer, 0, room, false);
    else
        set_column(model, 1 + buffer, fixed, fixed, false);
}

static void set_columns(struct mip_model *model)
{
    const struct problem *problem = model->problem;
    uint32_t column = model->first_pair;
    set_column(model, 0, (double)model->bound, (double)model->upper, true);
    for (uint32_t b = 0; b < problem->buffers; b++)
        set_offset_column(model, b);
    for (uint32_t p = 0; p < model->pairs.count; p++)
        set_column(model, column++, p == model->mirror_pair, 1, true);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (mip_model_factor(model, b) > 1)
            set_column(model, column++, 0, (double)(model->upper / mip_model_factor(model, b)),
                       true);
    assert(column == model->columns);
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

static enum status create_columns(struct builder *builder)
{
    struct mip_model *model = builder->model;
    model->first_pair = 1 + model->problem->buffers;
    for (uint32_t b = 0; b < model->problem->buffers; b++)
        builder->aligned += mip_model_factor(model, b) > 1;
    model->columns = model->first_pair + model->pairs.count + builder->aligned;
    model->mirror_pair = find_mirror_pair(model);
    TRY(memory_create(&model->integer, model->columns, sizeof(bool), builder->error));
    TRY(memory_create(&model->column_lower, model->columns, sizeof(double), builder->error));
    TRY(memory_create(&model->column_upper, model->columns, sizeof(double), builder->error));
    set_columns(model);
    return STATUS_OK;
}

static enum status fill_model(struct builder *builder, uint64_t upper_bytes)
{
    struct mip_model *model = builder->model;
    uint64_t bound_bytes;
    model->scale = problem_unit_bytes(model->problem);
    TRY(bound_peak(model->problem, &bound_bytes, builder->error));
    model->bound = bound_bytes / model->scale;
    model->upper = upper_bytes / model->scale;
    assert(model->bound <= model->upper);
    model->pairs.problem = model->problem;
    model->pairs.scale = model->scale;
    TRY(mip_pairs_collect(&model->pairs, builder->sections, builder->error));
    TRY(create_columns(builder));
    return add_rows(builder);
}

enum status mip_model_create(const struct problem *problem, uint64_t upper_bytes,
                             struct mip_model **created, struct error *error)
{
    struct builder builder = {.error = error};
    struct sections *sections = NULL;
    enum status status;
    *created = NULL;
    TRY(memory_create(&builder.model, 1, sizeof *builder.model, error));
    builder.model->problem = problem;
    TRY_OR_DONE(status, sections_create(problem, &sections, error));
    builder.sections = sections;
    if (mip_pairs_entries(sections) <= MIP_MOST_ENTRIES / 2) {
        TRY_OR_DONE(status, fill_model(&builder, upper_bytes));
        *created = builder.model;
    }
done:
    sections_free(sections);
    if (!*created)
        mip_model_free(builder.model);
    return status;
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
