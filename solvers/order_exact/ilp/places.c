#include "solvers/order_exact/ilp/places.h"

#include <assert.h>

#include "core/memory.h"

/* A tensor, or the bytes that an operator takes beside its outputs. */
struct item {
    uint64_t bytes;
    uint32_t live;   /* first of its columns, one for each step */
    uint32_t offset; /* column */
};

struct places {
    struct order_program *program;
    struct item *item; /* [items] */
    uint32_t items;
    double most; /* more than any item's end has to be */
};

static void add_item(struct places *places, uint64_t bytes, uint32_t live)
{
    assert(bytes > 0 && (double)bytes <= places->most);
    struct item *item = &places->item[places->items++];
    *item = (struct item){.bytes = bytes, .live = live};
    item->offset = order_program_add_columns(places->program, 1, places->most, false);
    /* This row says that the peak, column 0, is at or above the end of the item. */
    mip_add_entry(places->program->model, 0, 1);
    mip_add_entry(places->program->model, item->offset, -1);
    mip_close_row(places->program->model, (double)bytes);
}

/* Adds an item for what the operator takes beside its outputs; it is live only in the step in which
   the operator runs. */
static void add_extra(struct places *places, uint32_t v)
{
    struct order_program *program = places->program;
    uint32_t steps = program->view->operators, live;
    uint64_t bytes = order_program_extra(program, v);
    if (!bytes)
        return;
    live = order_program_add_columns(program, steps, 1, false);
    assert(live + steps == program->model->columns);
    for (uint32_t i = 0; i < steps; i++) {
        mip_add_entry(program->model, live + i, 1);
        mip_add_entry(program->model, order_program_ran(program, v, i), -1);
        order_program_add_ran_before(program, v, i, 1);
        mip_close_row(program->model, 0);
    }
    add_item(places, bytes, live);
}

/* Adds the row that says: offset of upper >= offset of lower + bytes of lower. It holds only where
   column `meet` is 1 and column `below` has the value `side`. */
static void add_stacking(struct places *places, const struct item *lower, const struct item *upper,
                         uint32_t meet, uint32_t below, bool side)
{
    struct order_program *program = places->program;
    double most = places->most;
    assert(lower->offset != upper->offset && meet != below);
    mip_add_entry(program->model, upper->offset, 1);
    mip_add_entry(program->model, lower->offset, -1);
    mip_add_entry(program->model, meet, -most);
    mip_add_entry(program->model, below, side ? -most : most);
    mip_close_row(program->model, (double)lower->bytes - most - (side ? most : 0));
}

/* Two items that are live in one step, whichever it is, meet; then one is below the other. */
static void add_pair(struct places *places, const struct item *a, const struct item *b)
{
    struct order_program *program = places->program;
    uint32_t meet, below;
    meet = order_program_add_columns(program, 1, 1, false);
    below = order_program_add_columns(program, 1, 1, true);
    for (uint32_t i = 0; i < program->view->operators; i++) {
        mip_add_entry(program->model, meet, 1);
        mip_add_entry(program->model, a->live + i, -1);
        mip_add_entry(program->model, b->live + i, -1);
        mip_close_row(program->model, -1);
    }
    assert(a->live != b->live);
    add_stacking(places, a, b, meet, below, true);
    add_stacking(places, b, a, meet, below, false);
}

enum status order_places_add(struct order_program *program, uint64_t most_bytes)
{
    const struct order_view *view = program->view;
    SCOPED(memory_release) struct item *item = NULL;
    TRY(memory_create(&item, (size_t)view->tensors + view->operators, sizeof *item,
                      program->error));
    struct places places = {.program = program, .item = item, .most = (double)most_bytes};
    for (uint32_t t = 0; t < view->tensors; t++)
        if (view->bytes[t])
            add_item(&places, view->bytes[t], order_program_live(program, t, 0));
    for (uint32_t v = 0; v < view->operators; v++)
        add_extra(&places, v);
    assert(places.items <= view->tensors + view->operators);
    for (uint32_t b = 0; b < places.items; b++)
        for (uint32_t a = 0; a < b; a++)
            add_pair(&places, &item[a], &item[b]);
    return mip_model_check(program->model, program->error);
}
