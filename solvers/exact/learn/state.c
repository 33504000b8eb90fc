#include "solvers/exact/learn/state.h"

#include <stdlib.h>

/* The distance of a pair, the other's offset less the buffer's, must not lie strictly between the
   two. */
struct forbidden {
    int64_t lower, upper;
};

struct builder {
    struct exact_learn *learn;
    uint64_t *first; /* [conflict entries + 1] into forbidden; an entry has some where the other's
                        number is greater */
    struct forbidden *forbidden;
    uint32_t *first_variable; /* [conflict entries] */
    struct scratch *scratch;
    struct error *error;
};

static struct forbidden find_forbidden(const struct exact_model *model, uint64_t i, uint64_t j)
{
    assert(model->member[i] != model->member[j]);
    uint64_t window_i = exact_member_lower(model, i), window_j = exact_member_lower(model, j);
    uint64_t end_i = window_i + exact_member_width(model, i),
             end_j = window_j + exact_member_width(model, j);
    assert(end_i > window_i && end_j > window_j && end_i <= INT64_MAX && end_j <= INT64_MAX);
    return (struct forbidden){.lower = (int64_t)window_i - (int64_t)end_j,
                              .upper = (int64_t)end_i - (int64_t)window_j};
}

/* Lists the intervals that sections forbid pairs, or counts them where there is no list yet: then
   first[entry + 1] is how many the entry has, and later where the next one of it comes. */
static void visit_pairs(struct builder *builder)
{
    const struct exact_model *model = builder->learn->model;
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            for (uint64_t j = model->first[s]; j < model->first[s + 1]; j++) {
                if (model->member[i] >= model->member[j])
                    continue;
                uint64_t entry = exact_model_entry(model, model->member[i], model->member[j]);
                uint64_t at = builder->first[entry + 1]++;
                assert(entry < model->conflicts->first[model->buffers]);
                if (builder->forbidden)
                    builder->forbidden[at] = find_forbidden(model, i, j);
            }
}

static enum status list_forbidden(struct builder *builder)
{
    const struct exact_model *model = builder->learn->model;
    uint64_t entries = model->conflicts->first[model->buffers], total = 0;
    TRY(scratch_take(builder->scratch, &builder->first, entries + 2, sizeof *builder->first,
                     builder->error));
    visit_pairs(builder);
    for (uint64_t i = 1; i <= entries; i++) {
        uint64_t count = builder->first[i];
        builder->first[i] = total;
        total += count;
    }
    TRY(scratch_take(builder->scratch, &builder->forbidden, total, sizeof *builder->forbidden,
                     builder->error));
    visit_pairs(builder);
    assert(builder->first[entries] == total);
    return STATUS_OK;
}

static int compare_lower(const void *left, const void *right)
{
    const struct forbidden *a = left, *b = right;
    return (a->lower > b->lower) - (a->lower < b->lower);
}

/* Sorts the intervals, makes one of those that overlap, and returns how many are left. */
static uint32_t merge(struct forbidden *forbidden, uint64_t count)
{
    uint32_t merged = 0;
    qsort(forbidden, count, sizeof *forbidden, compare_lower);
    for (uint64_t i = 0; i < count; i++)
        if (!merged || forbidden[i].lower >= forbidden[merged - 1].upper)
            forbidden[merged++] = forbidden[i];
        else if (forbidden[i].upper > forbidden[merged - 1].upper)
            forbidden[merged - 1].upper = forbidden[i].upper;
    assert(merged > 0 || count == 0);
    return merged;
}

static enum status list_variables(struct builder *builder)
{
    struct exact_learn *learn = builder->learn;
    const struct conflicts *conflicts = learn->model->conflicts;
    uint64_t entries = conflicts->first[learn->model->buffers];
    TRY(scratch_take(&learn->memory, &learn->literal, 2 * builder->first[entries],
                     sizeof *learn->literal, builder->error));
    TRY(scratch_take(builder->scratch, &builder->first_variable, entries, sizeof(uint32_t),
                     builder->error));
    for (uint32_t b = 0; b < learn->model->buffers; b++)
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++) {
            uint32_t other = conflicts->other[i];
            if (other <= b)
                continue;
            struct forbidden *forbidden = builder->forbidden + builder->first[i];
            uint32_t count = merge(forbidden, builder->first[i + 1] - builder->first[i]);
            assert(count > 0);
            builder->first_variable[i] = learn->variables;
            for (uint32_t f = 0; f < count; f++) {
                assert(forbidden[f].lower < forbidden[f].upper);
                struct exact_literal *literal = &learn->literal[2 * (size_t)learn->variables++];
                literal[0] = (struct exact_literal){b, other, forbidden[f].upper};
                literal[1] = (struct exact_literal){other, b, -forbidden[f].lower};
            }
        }
    assert(learn->variables <= builder->first[entries]);
    return STATUS_OK;
}

/* The variables of each buffer. */
static enum status list_variables_of_buffers(struct builder *builder)
{
    struct exact_learn *learn = builder->learn;
    uint32_t buffers = learn->model->buffers;
    TRY(scratch_take(&learn->memory, &learn->first, (size_t)buffers + 2, sizeof *learn->first,
                     builder->error));
    TRY(scratch_take(&learn->memory, &learn->variable, 2 * (size_t)learn->variables,
                     sizeof *learn->variable, builder->error));
    uint64_t *next = learn->first + 1;
    for (uint32_t i = 0; i < 2 * learn->variables; i++)
        next[learn->literal[i].from + 1]++;
    for (uint32_t b = 0; b < buffers; b++)
        next[b + 1] += next[b];
    for (uint32_t i = 0; i < 2 * learn->variables; i++)
        learn->variable[next[learn->literal[i].from]++] = i / 2;
    assert(learn->first[buffers] == 2 * (uint64_t)learn->variables);
    return STATUS_OK;
}

/* The literal that says that member i lies below member j in their section. It is of the variable
   of the pair whose interval covers the one that this section forbids. */
static uint32_t find_literal(const struct builder *builder, uint64_t i, uint64_t j)
{
    assert(builder->learn->model->member[i] != builder->learn->model->member[j]);
    const struct exact_learn *learn = builder->learn;
    const struct exact_model *model = learn->model;
    if (model->member[i] > model->member[j])
        return find_literal(builder, j, i) ^ 1;
    uint64_t entry = exact_model_entry(model, model->member[i], model->member[j]);
    int64_t upper = find_forbidden(model, i, j).upper;
    assert(model->member[i] < model->member[j]);
    uint32_t variable = builder->first_variable[entry];
    while (learn->literal[2 * (size_t)variable].distance < upper)
        variable++;
    assert(learn->literal[2 * (size_t)variable].from == model->member[i]);
    return 2 * variable;
}

static enum status fill_sections(struct builder *builder)
{
    struct exact_learn *learn = builder->learn;
    const struct exact_model *model = learn->model;
    TRY(scratch_take(&learn->memory, &learn->pairs, (size_t)model->sections + 1, sizeof(uint64_t),
                     builder->error));
    for (uint32_t s = 0; s < model->sections; s++) {
        uint64_t members = model->first[s + 1] - model->first[s];
        learn->pairs[s + 1] = learn->pairs[s] + members * members;
    }
    TRY(scratch_take(&learn->memory, &learn->below, learn->pairs[model->sections], sizeof(uint32_t),
                     builder->error));
    uint32_t *below = learn->below;
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            for (uint64_t j = model->first[s]; j < model->first[s + 1]; j++)
                *below++ = i == j ? 0 : find_literal(builder, i, j);
    assert(below == learn->below + learn->pairs[model->sections]);
    return STATUS_OK;
}

enum status exact_learn_fill(struct exact_learn *learn, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct builder builder = {.learn = learn, .error = error, .scratch = &scratch};
    const struct exact_model *model = learn->model;
    struct scratch *memory = &learn->memory;
    TRY(list_forbidden(&builder));
    TRY(list_variables(&builder));
    TRY(list_variables_of_buffers(&builder));
    TRY(fill_sections(&builder));
    size_t variables = learn->variables, bounds = 2 * (size_t)model->buffers;
    assert(model->buffers > 0 && variables <= UINT32_MAX / 2);
    TRY(scratch_take_all(memory, 2 * variables, error, &learn->truth, &learn->watched));
    TRY(scratch_take_all(memory, variables, error, &learn->phase, &learn->activity,
                         &learn->event_of, &learn->seen));
    TRY(scratch_take_all(memory, variables + 1, error, &learn->learned, &learn->level_begin));
    TRY(scratch_take_all(memory, bounds, error, &learn->value, &learn->latest, &learn->needed));
    TRY(scratch_take_all(memory, model->sections, error, &learn->dirty, &learn->is_dirty));
    TRY(scratch_take(memory, &learn->job, model->buffers, sizeof *learn->job, error));
    for (uint32_t v = 0; v < learn->variables; v++)
        learn->phase[v] = -1;
    for (uint32_t i = 0; i < bounds; i++)
        learn->needed[i] = EXACT_NO_NEED;
    return STATUS_OK;
}
