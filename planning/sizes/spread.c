#include "planning/sizes/spread.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

enum { MOST_BASES = SPREAD_MOST_VARIABLES, MOST_COPIES = SPREAD_MOST_VARIABLES };

/* A part of an expression, which stands on the stack. */
struct part {
    size_t source, made;        /* its first step in the source, and among those that are made */
    uint8_t degree[MOST_BASES]; /* copies of each base that it uses, from the first on */
};

struct spreader {
    const struct symbolic_sizes *source;
    struct spread_sizes *made;
    uint8_t copies[MOST_BASES];
    struct part part[SIZES_MOST_DEPTH];
    uint32_t parts;
    bool is_above; /* too many bases or copies */
    struct error *error;
};

static enum status add_step(struct symbolic_sizes *sizes, struct size_step step,
                            struct error *error)
{
    size_t *end = &sizes->first[sizes->count + 1];
    assert(*end >= sizes->first[sizes->count]);
    TRY(memory_reserve(&sizes->step, &sizes->step_capacity, *end + 1, sizeof step, error));
    sizes->step[(*end)++] = step;
    return STATUS_OK;
}

/* Begins the next expression, which is empty yet. */
static enum status begin_expression(struct symbolic_sizes *sizes, struct error *error)
{
    TRY(memory_reserve(&sizes->first, &sizes->first_capacity, (size_t)sizes->count + 2,
                       sizeof *sizes->first, error));
    sizes->first[0] = 0;
    sizes->first[sizes->count + 1] = sizes->first[sizes->count];
    return STATUS_OK;
}

/* The base with the steps of the source from `first` to before `end`; adds it where it is new. */
static enum status find_base(struct spreader *spreader, size_t first, size_t end, uint32_t *found)
{
    struct symbolic_sizes *base = &spreader->made->base;
    uint32_t added = base->count;
    TRY(begin_expression(base, spreader->error));
    for (size_t s = first; s < end; s++)
        TRY(add_step(base, spreader->source->step[s], spreader->error));
    base->count++;
    for (*found = 0; !sizes_are_same(base, *found, added); ++*found)
        ;
    assert(*found <= added);
    if (*found < added || added == MOST_BASES)
        base->count--;
    spreader->is_above |= *found == MOST_BASES;
    return STATUS_OK;
}

/* Puts a base in the place of the uppermost part, which ends before `end` in the source. */
static enum status put_base(struct spreader *spreader, size_t end)
{
    struct symbolic_sizes *spread = &spreader->made->spread;
    struct part *part = &spreader->part[spreader->parts - 1];
    uint32_t base;
    assert(part->made <= spread->first[spread->count + 1]);
    TRY(find_base(spreader, part->source, end, &base));
    memset(part->degree, 0, sizeof part->degree);
    spread->first[spread->count + 1] = part->made;
    if (spreader->is_above)
        return STATUS_OK;
    part->degree[base] = 1;
    return add_step(spread, (struct size_step){SIZES_PARAMETER, base * MOST_COPIES},
                    spreader->error);
}

/* Joins the upper two parts. What the right one multiplies uses other copies than the left one. */
static void join_parts(struct spreader *spreader, bool is_product)
{
    struct symbolic_sizes *spread = &spreader->made->spread;
    assert(spreader->parts >= 2);
    const struct part *right = &spreader->part[--spreader->parts];
    struct part *left = &spreader->part[spreader->parts - 1];
    assert(left->made < right->made && right->made < spread->first[spread->count + 1]);
    for (size_t s = right->made; is_product && s < spread->first[spread->count + 1]; s++)
        if (spread->step[s].kind == SIZES_PARAMETER)
            spread->step[s].number += left->degree[spread->step[s].number / MOST_COPIES];
    for (uint32_t i = 0; i < MOST_BASES; i++) {
        uint32_t larger = left->degree[i] > right->degree[i] ? left->degree[i] : right->degree[i];
        uint32_t degree = is_product ? left->degree[i] + right->degree[i] : larger;
        spreader->is_above |= degree > MOST_COPIES;
        left->degree[i] = (uint8_t)degree;
    }
}

static enum status take_step(struct spreader *spreader, size_t s)
{
    struct symbolic_sizes *spread = &spreader->made->spread;
    struct size_step step = spreader->source->step[s];
    switch (step.kind) {
    case SIZES_NUMBER:
    case SIZES_PARAMETER:
        assert(spreader->parts < SIZES_MOST_DEPTH);
        spreader->part[spreader->parts++] =
            (struct part){.source = s, .made = spread->first[spread->count + 1]};
        return step.kind == SIZES_NUMBER ? add_step(spread, step, spreader->error)
                                         : put_base(spreader, s + 1);
    case SIZES_ADD:
    case SIZES_SUBTRACT:
    case SIZES_MULTIPLY:
        join_parts(spreader, step.kind == SIZES_MULTIPLY);
        return add_step(spread, step, spreader->error);
    case SIZES_MAX:
        spreader->parts--;
        return put_base(spreader, s + 1);
    default:
        return put_base(spreader, s + 1);
    }
}

/* Gives each copy of a base a variable, and names these in the steps. */
static enum status number_variables(struct spreader *spreader)
{
    struct spread_sizes *made = spreader->made;
    uint32_t first[MOST_BASES];
    TRY(memory_create(&made->variable_base, MOST_BASES * MOST_COPIES, sizeof(uint32_t),
                      spreader->error));
    for (uint32_t base = 0; base < made->base.count; base++) {
        first[base] = made->variables;
        for (uint32_t i = 0; i < spreader->copies[base]; i++)
            made->variable_base[made->variables++] = base;
    }
    for (size_t s = 0; s < made->spread.first[made->spread.count]; s++) {
        struct size_step *step = &made->spread.step[s];
        assert(step->kind != SIZES_PARAMETER ||
               step->number % MOST_COPIES < spreader->copies[step->number / MOST_COPIES]);
        if (step->kind == SIZES_PARAMETER)
            step->number = first[step->number / MOST_COPIES] + step->number % MOST_COPIES;
    }
    return STATUS_OK;
}

enum status spread_create(const struct symbolic_sizes *sizes, const uint32_t *same,
                          struct spread_sizes **created, struct error *error)
{
    SCOPED(spread_release) struct spread_sizes *made = NULL;
    struct spreader spreader = {.source = sizes, .error = error};
    TRY(memory_create(&made, 1, sizeof *made, error));
    spreader.made = made;
    for (uint32_t e = 0; e < sizes->count && !spreader.is_above; e++) {
        TRY(begin_expression(&made->spread, error));
        for (size_t s = sizes->first[e]; s < sizes->first[e + 1]; s++)
            if (same[e] == e && !spreader.is_above)
                TRY(take_step(&spreader, s));
        made->spread.count++;
        assert(spreader.is_above || spreader.parts == (same[e] == e));
        spreader.parts = 0;
        for (uint32_t i = 0; same[e] == e && i < MOST_BASES; i++)
            if (spreader.part[0].degree[i] > spreader.copies[i])
                spreader.copies[i] = spreader.part[0].degree[i];
    }
    *created = NULL;
    if (spreader.is_above)
        return STATUS_OK;
    TRY(number_variables(&spreader));
    if (made->variables > SPREAD_MOST_VARIABLES)
        return STATUS_OK;
    HAND_OVER(made, created);
}

void spread_free(struct spread_sizes *spread)
{
    if (!spread)
        return;
    memory_free_all(spread->base.first, spread->base.step, spread->spread.first,
                    spread->spread.step, spread->variable_base, spread);
}
