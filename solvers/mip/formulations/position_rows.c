#include "solvers/mip/formulations/position_rows.h"

#include <assert.h>
#include <stdlib.h>

#include "core/binary_search.h"
#include "core/checked.h"
#include "core/compare.h"
#include "core/groups.h"
#include "core/memory.h"

enum { WORD_BITS = 64, MOST_WORDS = 1 << 22, MOST_POSITIONS = 1 << 17 };

/* Positions as they are found: bits by buffer and unit, and in the order of finding. */
struct reach {
    struct mip_model *model;
    uint64_t words; /* of each buffer's bits */
    uint64_t *bits; /* [buffers * words] */
    struct found {
        uint32_t buffer;
        uint64_t unit;
    } * found; /* [count] */
    size_t count, capacity;
};

static void reach_position(struct reach *reach, uint32_t buffer, uint64_t unit)
{
    struct mip_model *model = reach->model;
    assert(buffer < model->problem->buffers && unit / WORD_BITS < reach->words);
    uint64_t *word = &reach->bits[buffer * reach->words + unit / WORD_BITS];
    uint64_t bit = UINT64_C(1) << unit % WORD_BITS;
    if (*word & bit || reach->count > MOST_POSITIONS ||
        memory_reserve(&reach->found, &reach->capacity, reach->count + 1, sizeof *reach->found,
                       &model->error))
        return;
    *word |= bit;
    reach->found[reach->count++] = (struct found){buffer, unit};
}

/* The upper buffer may rest on the lower one where that has its offset at this unit. */
static void rest_on(struct reach *reach, uint64_t unit, uint32_t upper, int64_t apart)
{
    const struct mip_model *model = reach->model;
    int64_t least = (int64_t)unit + apart;
    if (problem_fixed_offset(model->problem, upper) != PROBLEM_FREE)
        return;
    uint64_t offset = align_up(least > 0 ? (uint64_t)least : 0, mip_model_factor(model, upper));
    if ((int64_t)offset <= model->pairs.highest[upper])
        reach_position(reach, upper, offset);
}

/* Lists for each buffer the pairs in which it may be the lower one. */
static enum status list_pairs(const struct mip_pairs *pairs, struct groups *above,
                              struct error *error)
{
    TRY(groups_begin(above, pairs->problem->buffers, error));
    for (uint32_t p = 0; p < pairs->count; p++) {
        if (pairs->direction[p] != MIP_SECOND_BELOW)
            groups_count(above, pairs->pair[p].first);
        if (pairs->direction[p] != MIP_FIRST_BELOW)
            groups_count(above, pairs->pair[p].second);
    }
    TRY(groups_end_counting(above, error));
    for (uint32_t p = 0; p < pairs->count; p++) {
        if (pairs->direction[p] != MIP_SECOND_BELOW)
            groups_add(above, pairs->pair[p].first, p);
        if (pairs->direction[p] != MIP_FIRST_BELOW)
            groups_add(above, pairs->pair[p].second, p);
    }
    return STATUS_OK;
}

static void reach_all(struct reach *reach)
{
    struct mip_model *model = reach->model;
    const struct mip_pairs *pairs = &model->pairs;
    struct groups above;
    enum status status = list_pairs(pairs, &above, &model->error);
    for (uint32_t b = 0; b < model->problem->buffers; b++) {
        uint64_t fixed = problem_fixed_offset(model->problem, b);
        reach_position(reach, b, fixed == PROBLEM_FREE ? 0 : fixed / model->scale);
    }
    for (size_t i = 0; i < reach->count && reach->count <= MOST_POSITIONS && !status; i++) {
        struct found found = reach->found[i];
        for (uint64_t k = above.first[found.buffer]; k < above.first[found.buffer + 1]; k++) {
            const struct mip_pair *pair = &pairs->pair[above.item[k]];
            if (pair->first == found.buffer)
                rest_on(reach, found.unit, pair->second, mip_first_below(pair));
            else
                rest_on(reach, found.unit, pair->first, mip_second_below(pair));
        }
    }
    groups_free(&above);
    assert(reach->count <= MOST_POSITIONS + 1);
}

COMPARE_MEMBERS(compare_found, struct found, buffer, unit)

/* Fills first_position and position, of those in the boxes. */
static void find_positions(struct mip_model *model)
{
    uint32_t buffers = model->problem->buffers;
    struct reach reach = {.model = model, .words = model->upper / WORD_BITS + 1};
    if (reach.words > MOST_WORDS / ((uint64_t)buffers + 1)) {
        mip_refuse(model, "%u buffers with %llu units each are too many positions", buffers,
                   (unsigned long long)model->upper);
        return;
    }
    if (memory_create(&reach.bits, buffers * reach.words, sizeof *reach.bits, &model->error) ==
            STATUS_OK &&
        memory_create(&model->first_position, (size_t)buffers + 1, sizeof *model->first_position,
                      &model->error) == STATUS_OK)
        reach_all(&reach);
    if (reach.count > MOST_POSITIONS)
        mip_refuse(model, "its program has more than %d positions", MOST_POSITIONS);
    if (!model->error.status && !*model->refusal &&
        memory_create(&model->position, reach.count, sizeof *model->position, &model->error) ==
            STATUS_OK) {
        uint32_t kept = 0;
        qsort(reach.found, reach.count, sizeof *reach.found, compare_found);
        for (size_t i = 0; i < reach.count; i++) {
            const struct found *found = &reach.found[i];
            if ((int64_t)found->unit < model->pairs.lowest[found->buffer])
                continue;
            model->position[kept++] = found->unit;
            model->first_position[found->buffer + 1] = kept;
        }

        /* A buffer without a position in its box has an empty list: then there is no plan. */
        for (uint32_t b = 0; b < buffers; b++)
            if (model->first_position[b + 1] < model->first_position[b])
                model->first_position[b + 1] = model->first_position[b];
    }
    memory_free_all(reach.bits, reach.found);
}

/* Adds to the open row, times a factor, the position of a buffer. */
static void add_position_entries(struct mip_model *model, uint32_t buffer, double factor)
{
    uint32_t base = model->first_position[0];
    assert(model->position && buffer < model->problem->buffers);
    for (uint32_t c = model->first_position[buffer]; c < model->first_position[buffer + 1]; c++)
        if (model->position[c - base])
            mip_add_entry(model, c, factor * (double)model->position[c - base]);
}

static void add_apart_row(struct mip_model *model, uint32_t lower, uint32_t upper, int64_t apart)
{
    uint64_t entries = model->entries;
    add_position_entries(model, upper, 1);
    add_position_entries(model, lower, -1);
    if (model->entries > entries)
        mip_close_row(model, (double)apart);
}

bool mip_add_position_columns(struct mip_model *model)
{
    const struct problem *problem = model->problem;
    const struct mip_pairs *pairs = &model->pairs;
    char label[MIP_LABEL_BYTES];
    find_positions(model);
    if (model->error.status || *model->refusal)
        return false;
    /* first_position has counted positions so far; from here on it says columns. */
    for (uint32_t b = 0; b <= problem->buffers; b++)
        model->first_position[b] += model->columns;
    uint32_t base = model->first_position[0];
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t c = model->first_position[b]; c < model->first_position[b + 1]; c++) {
            assert(c == model->first_position[b] ||
                   model->position[c - base - 1] < model->position[c - base]);
            mip_add_column(model, 0, 1, true);
            mip_name_column(model, "at_%s~~%llu", model->names ? mip_label(model, b, label) : "",
                            (unsigned long long)model->position[c - base]);
        }
    for (uint32_t b = 0; b < problem->buffers; b++) {
        for (uint32_t c = model->first_position[b]; c < model->first_position[b + 1]; c++)
            mip_add_entry(model, c, 1);
        mip_close_equation(model, 1);
        mip_add_entry(model, 0, 1);
        add_position_entries(model, b, -1);
        mip_close_row(model, (double)(problem->size[b] / model->scale));
    }
    for (uint32_t p = 0; p < pairs->count; p++)
        if (pairs->direction[p] == MIP_FIRST_BELOW)
            add_apart_row(model, pairs->pair[p].first, pairs->pair[p].second,
                          mip_first_below(&pairs->pair[p]));
        else if (pairs->direction[p] == MIP_SECOND_BELOW)
            add_apart_row(model, pairs->pair[p].second, pairs->pair[p].first,
                          mip_second_below(&pairs->pair[p]));
    return !model->error.status;
}

/* Adds the binaries of a member at which its window has the unit: the positions in (unit - upper,
   unit - lower]. */
static void add_covering(struct mip_model *model, struct mip_window window, uint64_t unit)
{
    uint32_t base = model->first_position[0];
    assert(window.lower < window.upper && unit < model->upper);
    uint32_t end = model->first_position[window.buffer + 1];
    for (uint32_t c = BINARY_SEARCH(at, model->first_position[window.buffer], end,
                                    unit < model->position[at - base] + window.upper);
         c < end && model->position[c - base] + window.lower <= unit; c++)
        mip_add_entry(model, c, -1);
}

static void mark_begins(const struct mip_model *model, uint32_t section, bool every_unit,
                        uint64_t *mark)
{
    const struct sections *sections = model->sections;
    uint32_t base = model->first_position[0];
    for (uint64_t i = sections->first[section]; i < sections->first[section + 1]; i++) {
        struct mip_window window = mip_section_window(&model->pairs, i);
        for (uint32_t c = model->first_position[window.buffer];
             c < model->first_position[window.buffer + 1]; c++) {
            assert(model->position[c - base] + window.lower < model->upper);
            mark[model->position[c - base] + window.lower] = section + (uint64_t)1;
        }
    }
    for (uint64_t unit = 0; unit < model->upper && every_unit; unit++)
        mark[unit] = section + (uint64_t)1;
}

/* Counts the entries of all rows of units, which takes far less time than adding too many. */
static uint64_t count_covering(const struct mip_model *model, bool every_unit, uint64_t *mark,
                               uint64_t *marked)
{
    const struct sections *sections = model->sections;
    uint32_t base = model->first_position[0];
    uint64_t entries = 0;
    for (uint32_t s = 0; s < sections->count; s++) {
        mark_begins(model, s, every_unit, mark);
        for (uint64_t unit = 0; unit < model->upper; unit++)
            marked[unit + 1] = marked[unit] + (mark[unit] == s + (uint64_t)1);
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++) {
            struct mip_window window = mip_section_window(&model->pairs, i);
            const uint64_t *position =
                &model->position[model->first_position[window.buffer] - base];
            uint32_t count =
                model->first_position[window.buffer + 1] - model->first_position[window.buffer];
            for (uint32_t c = 0; c < count; c++)
                entries += marked[position[c] + window.upper] - marked[position[c] + window.lower];
        }
    }
    return entries;
}

void mip_visit_units(struct mip_model *model, bool every_unit, mip_visit_unit *visit)
{
    const struct sections *sections = model->sections;
    assert(model->first_position);
    SCOPED(memory_release)
    uint64_t *mark = NULL; /* [upper] 1 + the last section that begins there */
    SCOPED(memory_release) uint64_t *marked = NULL; /* [upper + 1] how many of those below are */
    if (memory_create(&mark, model->upper, sizeof *mark, &model->error) ||
        memory_create(&marked, model->upper + 1, sizeof *marked, &model->error))
        return;
    uint64_t most = model->entries + count_covering(model, every_unit, mark, marked);
    if (most > MIP_MOST_ENTRIES) {
        model->entries = most;
        return;
    }
    for (uint32_t s = 0; s < sections->count; s++) {
        mark_begins(model, s, every_unit, mark);
        for (uint64_t unit = 0; unit < model->upper; unit++) {
            uint64_t entries = model->entries;
            if (mark[unit] != s + (uint64_t)1)
                continue;
            for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
                add_covering(model, mip_section_window(&model->pairs, i), unit);
            if (model->entries > entries)
                visit(model, unit);
        }
    }
}

bool mip_positions_to_plan(const struct mip_model *model, const double *values, struct plan *plan)
{
    uint32_t base = model->first_position[0];
    assert(plan->buffers == model->problem->buffers);
    for (uint32_t b = 0; b < plan->buffers; b++) {
        uint32_t best = model->first_position[b];
        assert(best < model->first_position[b + 1]);
        for (uint32_t c = best; c < model->first_position[b + 1]; c++)
            if (values[c] > values[best])
                best = c;
        plan->offset[b] = model->position[best - base] * model->scale;
    }
    return true;
}

void mip_positions_from_plan(const struct mip_model *model, const struct plan *plan, double *values)
{
    uint32_t base = model->first_position[0];
    assert(plan->buffers == model->problem->buffers && plan_found(plan));
    values[0] = (double)(plan->measures.peak_bytes / model->scale);
    for (uint32_t b = 0; b < plan->buffers; b++) {
        assert(plan->offset[b] % model->scale == 0);
        for (uint32_t c = model->first_position[b]; c < model->first_position[b + 1]; c++)
            values[c] = model->position[c - base] == plan->offset[b] / model->scale;
    }
}
