#include "solvers/exact/learn/state.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

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
    struct scratch scratch;
    struct error *error;
};

typedef void visit_pair(struct builder *builder, uint64_t entry, uint64_t i, uint64_t j);

static void count_pair(struct builder *builder, uint64_t entry, uint64_t i, uint64_t j)
{
    (void)i;
    (void)j;
    builder->first[entry + 1]++;
}

static struct forbidden find_forbidden(const struct exact_model *model, uint64_t i, uint64_t j)
{
    assert(model->member[i] != model->member[j]);
    uint64_t window_i = exact_member_lower(model, i), window_j = exact_member_lower(model, j);
    uint64_t end_i = window_i + exact_member_width(model, i),
             end_j = window_j + exact_member_width(model, j);
    return (struct forbidden){.lower = (int64_t)window_i - (int64_t)end_j,
                              .upper = (int64_t)end_i - (int64_t)window_j};
}

/* Stores the interval that the section forbids the pair. While this is done for all pairs,
   first[entry + 1] is where the next interval of the entry comes. */
static void store_pair(struct builder *builder, uint64_t entry, uint64_t i, uint64_t j)
{
    assert(builder->learn->model->conflicts->other[entry] == builder->learn->model->member[j]);
    builder->forbidden[builder->first[entry + 1]++] = find_forbidden(builder->learn->model, i, j);
}

static void visit_pairs(struct builder *builder, visit_pair *visit)
{
    const struct exact_model *model = builder->learn->model;
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            for (uint64_t j = model->first[s]; j < model->first[s + 1]; j++)
                if (model->member[i] < model->member[j])
                    visit(builder, exact_model_entry(model, model->member[i], model->member[j]), i,
                          j);
}

static enum status list_forbidden(struct builder *builder)
{
    const struct exact_model *model = builder->learn->model;
    uint64_t entries = model->conflicts->first[model->buffers], total = 0;
    TRY(scratch_take(&builder->scratch, &builder->first, entries + 2, sizeof *builder->first,
                     builder->error));
    visit_pairs(builder, count_pair);
    for (uint64_t i = 1; i <= entries; i++) {
        uint64_t count = builder->first[i];
        builder->first[i] = total;
        total += count;
    }
    TRY(scratch_take(&builder->scratch, &builder->forbidden, total, sizeof *builder->forbidden,
                     builder->error));
    visit_pairs(builder, store_pair);
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

static void add_variables(struct builder *builder, uint32_t b, uint64_t entry)
{
    struct exact_learn *learn = builder->learn;
    uint32_t other = learn->model->conflicts->other[entry];
    assert(other > b);
    struct forbidden *forbidden = builder->forbidden + builder->first[entry];
    uint32_t count = merge(forbidden, builder->first[entry + 1] - builder->first[entry]);
    assert(count > 0);
    builder->first_variable[entry] = learn->variables;
    for (uint32_t i = 0; i < count; i++) {
        assert(forbidden[i].lower < forbidden[i].upper);
        struct exact_literal *literal = &learn->literal[2 * (size_t)learn->variables++];
        literal[0] = (struct exact_literal){b, other, forbidden[i].upper};
        literal[1] = (struct exact_literal){other, b, -forbidden[i].lower};
    }
}

static enum status list_variables(struct builder *builder)
{
    struct exact_learn *learn = builder->learn;
    const struct conflicts *conflicts = learn->model->conflicts;
    uint64_t entries = conflicts->first[learn->model->buffers];
    TRY(scratch_take(&learn->memory, &learn->literal, 2 * builder->first[entries],
                     sizeof *learn->literal, builder->error));
    TRY(scratch_take(&builder->scratch, &builder->first_variable, entries, sizeof(uint32_t),
                     builder->error));
    for (uint32_t b = 0; b < learn->model->buffers; b++)
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++)
            if (conflicts->other[i] > b)
                add_variables(builder, b, i);
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
    uint32_t variable = builder->first_variable[entry];
    while (learn->literal[2 * (size_t)variable].distance < upper)
        variable++;
    assert(learn->literal[2 * (size_t)variable].from == model->member[i]);
    return 2 * variable;
}

static void fill_section(struct builder *builder, uint32_t section)
{
    struct exact_learn *learn = builder->learn;
    const struct exact_model *model = learn->model;
    uint64_t begin = model->first[section], members = model->first[section + 1] - begin;
    uint32_t *below = learn->below + learn->pairs[section];
    for (uint64_t i = 0; i < members; i++)
        for (uint64_t j = 0; j < members; j++)
            if (i != j)
                below[i * members + j] = find_literal(builder, begin + i, begin + j);
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
    for (uint32_t s = 0; s < model->sections; s++)
        fill_section(builder, s);
    return STATUS_OK;
}

static enum status list_literals(struct exact_learn *learn, struct error *error)
{
    struct builder builder = {.learn = learn, .error = error};
    enum status status;
    TRY_OR_DONE(status, list_forbidden(&builder));
    TRY_OR_DONE(status, list_variables(&builder));
    TRY_OR_DONE(status, list_variables_of_buffers(&builder));
    status = fill_sections(&builder);
done:
    scratch_free(&builder.scratch);
    return status;
}

static enum status create_arrays(struct exact_learn *learn, struct error *error)
{
    const struct exact_model *model = learn->model;
    size_t variables = learn->variables, bounds = 2 * (size_t)model->buffers;
    TRY(scratch_take(&learn->memory, &learn->truth, 2 * variables, sizeof *learn->truth, error));
    TRY(scratch_take(&learn->memory, &learn->phase, variables, sizeof *learn->phase, error));
    TRY(scratch_take(&learn->memory, &learn->activity, variables, sizeof *learn->activity, error));
    TRY(scratch_take(&learn->memory, &learn->event_of, variables, sizeof *learn->event_of, error));
    TRY(scratch_take(&learn->memory, &learn->watched, 2 * variables, sizeof *learn->watched,
                     error));
    TRY(scratch_take(&learn->memory, &learn->seen, variables, sizeof *learn->seen, error));
    TRY(scratch_take(&learn->memory, &learn->learned, variables + 1, sizeof *learn->learned,
                     error));
    TRY(scratch_take(&learn->memory, &learn->level_begin, variables + 1, sizeof *learn->level_begin,
                     error));
    TRY(scratch_take(&learn->memory, &learn->value, bounds, sizeof *learn->value, error));
    TRY(scratch_take(&learn->memory, &learn->latest, bounds, sizeof *learn->latest, error));
    TRY(scratch_take(&learn->memory, &learn->needed, bounds, sizeof *learn->needed, error));
    TRY(scratch_take(&learn->memory, &learn->dirty, model->sections, sizeof *learn->dirty, error));
    TRY(scratch_take(&learn->memory, &learn->is_dirty, model->sections, sizeof *learn->is_dirty,
                     error));
    return scratch_take(&learn->memory, &learn->job, model->buffers, sizeof *learn->job, error);
}

enum status exact_learn_fill(struct exact_learn *learn, struct error *error)
{
    TRY(list_literals(learn, error));
    TRY(create_arrays(learn, error));
    for (uint32_t v = 0; v < learn->variables; v++)
        learn->phase[v] = -1;
    for (uint32_t i = 0; i < 2 * learn->model->buffers; i++)
        learn->needed[i] = EXACT_NO_NEED;
    return STATUS_OK;
}
