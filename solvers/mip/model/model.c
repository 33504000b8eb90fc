#include "solvers/mip/model/model.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/mip/model/lines.h"

enum { MOST_KEPT = 40, MOST_CUT = 28, NAME_BYTES = 128 };

static bool has_failed(const struct mip_model *model)
{
    return model->error.status != STATUS_OK;
}

static bool can_reserve(struct mip_model *model, void *items, size_t *capacity, size_t needed,
                        size_t item_bytes)
{
    return !has_failed(model) &&
           memory_reserve(items, capacity, needed, item_bytes, &model->error) == STATUS_OK;
}

uint32_t mip_add_column(struct mip_model *model, double lower, double upper, bool integer)
{
    uint32_t column = model->columns;
    size_t needed = (size_t)column + 1;
    assert(lower <= upper && column < MIP_NO_COLUMN);
    if (column == 0 &&
        can_reserve(model, &model->row_first, &model->row_capacity[0], 2, sizeof *model->row_first))
        model->row_first[0] = model->row_first[1] = 0;
    if (can_reserve(model, &model->integer, &model->column_capacity[0], needed, sizeof(bool)) &&
        can_reserve(model, &model->column_lower, &model->column_capacity[1], needed,
                    sizeof(double)) &&
        can_reserve(model, &model->column_upper, &model->column_capacity[2], needed,
                    sizeof(double)) &&
        can_reserve(model, &model->branch_weight, &model->column_capacity[3], needed,
                    sizeof(double))) {
        model->integer[column] = integer;
        model->column_lower[column] = lower;
        model->column_upper[column] = upper;
        model->branch_weight[column] = 0;
    }
    model->columns++;
    return column;
}

void mip_name_column(struct mip_model *model, const char *format, ...)
{
    char name[NAME_BYTES];
    va_list arguments;
    if (!model->names || has_failed(model))
        return;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    names_add(model->names, name, &model->error);
}

void mip_add_entry(struct mip_model *model, uint32_t column, double value)
{
    assert(column < model->columns && isfinite(value));
    if (++model->entries > MIP_MOST_ENTRIES)
        return;
    uint64_t entry = has_failed(model) ? 0 : model->row_first[model->rows + 1];
    if (!can_reserve(model, &model->row_column, &model->entry_capacity[0], entry + 1,
                     sizeof *model->row_column) ||
        !can_reserve(model, &model->row_value, &model->entry_capacity[1], entry + 1,
                     sizeof *model->row_value))
        return;
    model->row_column[entry] = column;
    model->row_value[entry] = value;
    model->row_first[model->rows + 1]++;
}

void mip_merge_entries(struct mip_model *model)
{
    if (has_failed(model) || model->entries > MIP_MOST_ENTRIES)
        return;
    uint64_t first = model->row_first[model->rows], end = model->row_first[model->rows + 1];
    uint64_t kept = first;
    assert(first <= end);
    for (uint64_t i = first; i < end; i++) {
        uint64_t same = first;
        while (same < kept && model->row_column[same] != model->row_column[i])
            same++;
        if (same < kept) {
            model->row_value[same] += model->row_value[i];
            continue;
        }
        model->row_column[kept] = model->row_column[i];
        model->row_value[kept++] = model->row_value[i];
    }
    model->row_first[model->rows + 1] = kept;
}

static void close_row(struct mip_model *model, double bound, bool equal)
{
    assert(model->entries > 0 && isfinite(bound));
    if (model->entries > MIP_MOST_ENTRIES ||
        !can_reserve(model, &model->row_first, &model->row_capacity[0], (size_t)model->rows + 3,
                     sizeof *model->row_first) ||
        !can_reserve(model, &model->row_bound, &model->row_capacity[1], (size_t)model->rows + 1,
                     sizeof *model->row_bound) ||
        !can_reserve(model, &model->row_equal, &model->row_capacity[2], (size_t)model->rows + 1,
                     sizeof *model->row_equal))
        return;
    assert(model->row_first[model->rows] < model->row_first[model->rows + 1]);
    model->row_bound[model->rows] = bound;
    model->row_equal[model->rows++] = equal;
    model->row_first[model->rows + 1] = model->row_first[model->rows];
}

void mip_close_row(struct mip_model *model, double bound)
{
    close_row(model, bound, false);
}

void mip_close_equation(struct mip_model *model, double bound)
{
    close_row(model, bound, true);
}

enum status mip_model_check(const struct mip_model *model, struct error *error)
{
    return has_failed(model) ? error_no_memory(error) : STATUS_OK;
}

void mip_refuse(struct mip_model *model, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(model->refusal, sizeof model->refusal, format, arguments);
    va_end(arguments);
}

static bool is_plain(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '_' || character == '.';
}

const char *mip_label(const struct mip_model *model, uint32_t buffer, char label[MIP_LABEL_BYTES])
{
    const struct names *names = &model->problem->names;
    const char *name = names_get(names, buffer);
    size_t length = strlen(name), kept = 0;
    bool is_kept = length > 0 && length <= MOST_KEPT && names_find(names, name) == buffer;
    assert(buffer < model->problem->buffers);
    for (size_t i = 0; i < length && is_kept; i++)
        is_kept = is_plain(name[i]);
    if (is_kept) {
        memcpy(label, name, length + 1);
        return label;
    }
    for (; name[kept] && kept < MOST_CUT; kept++)
        label[kept] = is_plain(name[kept]) ? name[kept] : '_';
    snprintf(label + kept, MIP_LABEL_BYTES - kept, "~%u", buffer);
    return label;
}

void mip_name_pair_column(struct mip_model *model, const char *what, uint32_t p)
{
    const struct mip_pair *pair = &model->pairs.pair[p];
    uint32_t repeated = 0;
    char first[MIP_LABEL_BYTES], second[MIP_LABEL_BYTES];
    assert(p < model->pairs.count);
    if (!model->names)
        return;
    /* Pairs of the same two buffers follow each other. */
    while (repeated < p && pair[-1 - (int64_t)repeated].first == pair->first &&
           pair[-1 - (int64_t)repeated].second == pair->second)
        repeated++;
    mip_label(model, pair->first, first);
    mip_label(model, pair->second, second);
    if (repeated)
        mip_name_column(model, "%s_%s~~%s~~%u", what, first, second, repeated);
    else
        mip_name_column(model, "%s_%s~~%s", what, first, second);
}

uint64_t mip_model_factor(const struct mip_model *model, uint32_t buffer)
{
    assert(buffer < model->problem->buffers && model->scale > 0);
    return mip_pairs_factor(&model->pairs, buffer);
}

/* Reads boxes and directions of the bounds of a node, where it has columns for them. */
static void read_bounds(const struct mip_model *model, const double *lower, const double *upper,
                        struct mip_pairs *node)
{
    static const double tolerance = 1e-6;
    int64_t most = (int64_t)floor(upper[0] + tolerance);
    assert(node->lowest != model->pairs.lowest && model->first_pair != MIP_NO_COLUMN);
    for (uint32_t b = 0; b < model->problem->buffers; b++) {
        int64_t size = (int64_t)(model->problem->size[b] / model->scale);
        mip_pairs_narrow(node, b, node->lowest[b], most - size);
        if (model->first_offset != MIP_NO_COLUMN)
            mip_pairs_narrow(node, b, (int64_t)ceil(lower[model->first_offset + b] - tolerance),
                             (int64_t)floor(upper[model->first_offset + b] + tolerance));
    }
    for (uint32_t p = 0; p < node->count; p++)
        mip_pairs_direct(node, p,
                         lower[model->first_pair + p] > 0.5   ? MIP_FIRST_BELOW
                         : upper[model->first_pair + p] < 0.5 ? MIP_SECOND_BELOW
                                                              : MIP_OPEN);
}

bool mip_model_narrow(struct mip_model *model, double *lower, double *upper)
{
    SCOPED(mip_pairs_copy_free) struct mip_pairs node = {0};
    if (model->first_pair == MIP_NO_COLUMN || mip_pairs_copy(&model->pairs, &node, &model->error))
        return true;
    read_bounds(model, lower, upper, &node);
    if (!mip_lines_propagate(&node, model->switches))
        return false;
    for (uint32_t b = 0; b < model->problem->buffers; b++) {
        double size = (double)(model->problem->size[b] / model->scale);
        lower[0] = fmax(lower[0], (double)node.lowest[b] + size);
        if (model->first_offset == MIP_NO_COLUMN)
            continue;
        lower[model->first_offset + b] = (double)node.lowest[b];
        upper[model->first_offset + b] = (double)node.highest[b];
    }
    for (uint32_t p = 0; p < node.count; p++) {
        lower[model->first_pair + p] = node.direction[p] == MIP_FIRST_BELOW;
        upper[model->first_pair + p] = node.direction[p] != MIP_SECOND_BELOW;
    }
    return lower[0] <= upper[0];
}

bool mip_row_is_violated(const struct mip_model *model, uint32_t row, const double *values,
                         double tolerance)
{
    double sum = 0;
    assert(row < model->rows);
    for (uint64_t i = model->row_first[row]; i < model->row_first[row + 1]; i++)
        sum += model->row_value[i] * values[model->row_column[i]];
    return sum < model->row_bound[row] - tolerance ||
           (model->row_equal[row] && sum > model->row_bound[row] + tolerance);
}

bool mip_model_holds(const struct mip_model *model, const double *values)
{
    assert(model->columns > 0 && values);
    for (uint32_t c = 0; c < model->columns; c++)
        if (values[c] < model->column_lower[c] || values[c] > model->column_upper[c])
            return false;
    for (uint32_t r = 0; r < model->rows; r++)
        if (mip_row_is_violated(model, r, values, 0))
            return false;
    return true;
}

void mip_model_free(struct mip_model *model)
{
    if (!model)
        return;
    sections_free(model->sections);
    memory_free_all(model->first_position, model->position);
    mip_pairs_clear(&model->pairs);
    memory_free_all(model->integer, model->column_lower, model->column_upper, model->branch_weight,
                    model->row_first, model->row_bound, model->row_equal, model->row_column,
                    model->row_value, model);
}
