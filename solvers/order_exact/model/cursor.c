#include "solvers/order_exact/model/cursor.h"

#include <assert.h>
#include <string.h>

enum status order_cursor_create(const struct order_model *model, struct order_cursor *cursor,
                                struct error *error)
{
    const struct order_view *view = model->view;
    uint32_t n = model->operators;
    struct scratch *memory = &cursor->memory;
    *cursor = (struct order_cursor){.model = model};
    uint64_t **sets[] = {&cursor->ran,         &cursor->ready,          &cursor->fresh,
                         &cursor->falling,     &cursor->marked_falling, &cursor->replaced,
                         &cursor->marked_fresh};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        TRY(scratch_take(memory, sets[i], model->words, sizeof(uint64_t), error));
    TRY(scratch_take_all(memory, n, error, &cursor->waiting, &cursor->must_live, &cursor->bundle,
                         &cursor->path, &cursor->marked_bundle));
    TRY(scratch_take(memory, &cursor->unread, view->tensors, sizeof(uint32_t), error));
    for (uint32_t t = 0; t < view->tensors; t++) {
        cursor->unread[t] = order_lists_count(&view->readers, t) + view->kept[t];
        if (view->producer[t] == ORDER_NONE && cursor->unread[t])
            cursor->live_bytes += view->bytes[t];
    }
    for (uint32_t v = 0; v < n; v++) {
        cursor->waiting[v] = order_lists_count(&model->base, v);
        cursor->must_live[v] = model->must_bytes[v];
        if (!cursor->waiting[v] && !model->lazy[v])
            order_set_add(cursor->ready, v);
    }
    return STATUS_OK;
}

void order_cursor_free(struct order_cursor *cursor)
{
    scratch_free(&cursor->memory);
    *cursor = (struct order_cursor){0};
}

uint64_t order_cursor_transient(const struct order_cursor *cursor, uint32_t op)
{
    const struct order_view *view = cursor->model->view;
    assert(op < cursor->model->operators);
    uint64_t first = cursor->count ? 0 : view->first_bytes;
    return cursor->live_bytes + first + view->alloc_bytes[op] -
           order_view_spared(view, op, cursor->unread);
}

static inline void flip_bit(uint64_t *set, uint32_t op)
{
    set[op / 64] ^= UINT64_C(1) << op % 64;
}

/* Called when one reader of the tensor more, or one fewer, has run; `unread` is the lesser of the
   two numbers of readers that are left. A bundle frees the tensor only if it has all readers that
   are left, so that no bundle changes while more are left than any bundle has. */
static void forget_readers(struct order_cursor *cursor, uint32_t tensor, uint32_t unread)
{
    if (unread > cursor->model->most_uses[tensor])
        return;
    assert(tensor < cursor->model->view->tensors);
    const uint64_t *used_by = order_model_used_by(cursor->model, tensor);
    for (uint32_t w = 0; w < cursor->model->words; w++)
        cursor->fresh[w] &= ~used_by[w];
}

static void forget_heads(struct order_cursor *cursor, uint32_t op)
{
    const struct order_lists *heads = &cursor->model->heads;
    for (uint32_t i = heads->start[op]; i < heads->start[op + 1]; i++)
        order_set_remove(cursor->fresh, heads->item[i]);
}

/* Runs one operator. Unless the cursor is light, adds to the must-live bytes of others what it
   adds, and returns the greatest of these new values among operators that have not run; else 0. */
static uint64_t step_forward(struct order_cursor *cursor, uint32_t op)
{
    const struct order_model *model = cursor->model;
    const struct order_view *view = model->view;
    assert(!order_set_has(cursor->ran, op));
    cursor->live_bytes += model->left_bytes[op];
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++) {
        uint32_t t = view->inputs.item[i];
        assert(cursor->unread[t]);
        if (--cursor->unread[t] == 0)
            cursor->live_bytes -= view->bytes[t];
        forget_readers(cursor, t, cursor->unread[t]);
    }
    flip_bit(cursor->ran, op);
    cursor->hash ^= model->key[op];
    cursor->count++;
    if (model->lazy[op]) {
        forget_heads(cursor, op);
    } else {
        flip_bit(cursor->ready, op);
        for (uint32_t i = model->above.start[op]; i < model->above.start[op + 1]; i++)
            if (--cursor->waiting[model->above.item[i]] == 0 && !model->lazy[model->above.item[i]])
                flip_bit(cursor->ready, model->above.item[i]);
    }
    uint64_t most = 0;
    if (cursor->light)
        return most;
    for (uint32_t i = model->first_weight[op]; i < model->first_weight[op + 1]; i++) {
        struct order_weight weight = model->weight[i];
        uint64_t bytes = cursor->must_live[weight.op] += weight.bytes;
        assert(bytes >= weight.bytes);
        if (bytes > most && !order_set_has(cursor->ran, weight.op))
            most = bytes;
    }
    return most;
}

static void step_back(struct order_cursor *cursor, uint32_t op)
{
    const struct order_model *model = cursor->model;
    const struct order_view *view = model->view;
    assert(order_set_has(cursor->ran, op) && cursor->count > 0);
    cursor->live_bytes -= model->left_bytes[op];
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++) {
        uint32_t t = view->inputs.item[i];
        if (!cursor->marked)
            forget_readers(cursor, t, cursor->unread[t]);
        if (cursor->unread[t]++ == 0)
            cursor->live_bytes += view->bytes[t];
    }
    flip_bit(cursor->ran, op);
    cursor->hash ^= model->key[op];
    cursor->count--;
    if (model->lazy[op]) {
        forget_heads(cursor, op);
    } else {
        flip_bit(cursor->ready, op);
        for (uint32_t i = model->above.start[op]; i < model->above.start[op + 1]; i++)
            if (cursor->waiting[model->above.item[i]]++ == 0 && !model->lazy[model->above.item[i]])
                flip_bit(cursor->ready, model->above.item[i]);
    }
    if (cursor->light)
        return;
    for (uint32_t i = model->first_weight[op]; i < model->first_weight[op + 1]; i++)
        cursor->must_live[model->weight[i].op] -= model->weight[i].bytes;
}

/* Operators are taken back from the last to the first in stored order, and run from the first to
   the last. The edges allow that, as each predecessor is stored earlier. */
void order_cursor_move(struct order_cursor *cursor, const uint64_t *ran)
{
    cursor->marked = false;
    for (uint32_t w = cursor->model->words; w-- > 0;)
        for (uint64_t left = cursor->ran[w] & ~ran[w]; left;) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(left);
            left ^= UINT64_C(1) << bit;
            step_back(cursor, w * 64 + bit);
        }
    for (uint32_t w = 0; w < cursor->model->words; w++)
        for (uint64_t left = ran[w] & ~cursor->ran[w]; left; left &= left - 1)
            step_forward(cursor, w * 64 + (uint32_t)__builtin_ctzll(left));
    cursor->steps = 0;
    assert(memcmp(cursor->ran, ran, cursor->model->words * sizeof *ran) == 0);
}

uint64_t order_cursor_step(struct order_cursor *cursor, uint32_t op, uint64_t *must_live_bytes)
{
    assert(cursor->steps < cursor->model->operators);
    uint64_t most = order_cursor_transient(cursor, op), bytes = step_forward(cursor, op);
    if (bytes > *must_live_bytes)
        *must_live_bytes = bytes;
    cursor->path[cursor->steps++] = op;
    return most;
}

/* Runs the lazy predecessors that have not run, each behind its own, then the operator. The
   recursion is shallow, as a bundle is a short chain. */
uint64_t order_cursor_run(struct order_cursor *cursor, uint32_t op, uint64_t *must_live_bytes)
{
    const struct order_lists *lazies = &cursor->model->lazies;
    uint64_t most = 0, bytes;
    assert(order_set_has(cursor->ready, op) || cursor->model->lazy[op]);
    for (uint32_t i = lazies->start[op]; i < lazies->start[op + 1]; i++) {
        if (order_set_has(cursor->ran, lazies->item[i]))
            continue;
        bytes = order_cursor_run(cursor, lazies->item[i], must_live_bytes);
        most = bytes > most ? bytes : most;
    }
    bytes = order_cursor_step(cursor, op, must_live_bytes);
    return bytes > most ? bytes : most;
}

uint64_t order_cursor_weigh(const struct order_cursor *cursor)
{
    const struct order_model *model = cursor->model;
    uint64_t most = 0;
    assert(cursor->light || !cursor->steps);
    for (uint32_t i = 0; i < cursor->steps; i++) {
        uint32_t first = model->first_weight[cursor->path[i]];
        uint32_t last = model->first_weight[cursor->path[i] + 1];
        for (const struct order_weight *weight = model->weight + first;
             weight < model->weight + last; weight++) {
            uint64_t bytes = cursor->must_live[weight->op] + weight->bytes;
            if (bytes > most && !order_set_has(cursor->ran, weight->op))
                most = bytes;
        }
    }
    return most;
}

void order_cursor_undo(struct order_cursor *cursor, uint32_t steps)
{
    assert(steps <= cursor->steps);
    while (cursor->steps > steps)
        step_back(cursor, cursor->path[--cursor->steps]);
}

/* Runs the bundle of an operator for trial, which keeps up to date only what a bundle is computed
   from: the live bytes, the readers that are left, the set of what ran, and the path. Returns the
   most bytes that one of its operators takes. */
static uint64_t try_bundle(struct order_cursor *cursor, uint32_t op)
{
    const struct order_view *view = cursor->model->view;
    const struct order_lists *lazies = &cursor->model->lazies;
    uint64_t most = 0, bytes;
    for (uint32_t i = lazies->start[op]; i < lazies->start[op + 1]; i++) {
        if (order_set_has(cursor->ran, lazies->item[i]))
            continue;
        bytes = try_bundle(cursor, lazies->item[i]);
        most = bytes > most ? bytes : most;
    }
    bytes = order_cursor_transient(cursor, op);
    cursor->live_bytes += cursor->model->left_bytes[op];
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++)
        if (--cursor->unread[view->inputs.item[i]] == 0)
            cursor->live_bytes -= view->bytes[view->inputs.item[i]];
    flip_bit(cursor->ran, op);
    cursor->path[cursor->steps++] = op;
    return bytes > most ? bytes : most;
}

static struct order_bundle find_bundle(struct order_cursor *cursor, uint32_t op)
{
    const struct order_view *view = cursor->model->view;
    const struct order_lists *lazies = &cursor->model->lazies, *inputs = &view->inputs;
    struct order_bundle bundle = {.count = 1};
    uint64_t live = cursor->live_bytes;
    uint32_t steps = cursor->steps, lazy = lazies->start[op];
    while (lazy < lazies->start[op + 1] && order_set_has(cursor->ran, lazies->item[lazy]))
        lazy++;
    if (lazy == lazies->start[op + 1]) { /* the operator is the whole bundle */
        bundle.most_bytes = order_cursor_transient(cursor, op);
        bundle.live_bytes = live + cursor->model->left_bytes[op];
        for (uint32_t i = inputs->start[op]; i < inputs->start[op + 1]; i++)
            if (cursor->unread[inputs->item[i]] == 1)
                bundle.live_bytes -= view->bytes[inputs->item[i]];
        return bundle;
    }
    bundle.most_bytes = try_bundle(cursor, op);
    bundle.live_bytes = cursor->live_bytes;
    bundle.count = cursor->steps - steps;
    assert(bundle.count > 1 && cursor->path[cursor->steps - 1] == op);
    while (cursor->steps > steps) {
        uint32_t ran = cursor->path[--cursor->steps];
        for (uint32_t i = inputs->start[ran]; i < inputs->start[ran + 1]; i++)
            cursor->unread[inputs->item[i]]++;
        flip_bit(cursor->ran, ran);
    }
    cursor->live_bytes = live;
    return bundle;
}

/* Computes the bundle of an operator and keeps it. Its bytes are kept as differences from the live
   bytes, modulo 2^64, and so stay right when operators run that do not matter to it. */
static void refresh_bundle(struct order_cursor *cursor, uint32_t op)
{
    uint64_t bit = UINT64_C(1) << op % 64;
    struct order_bundle bundle = find_bundle(cursor, op);
    if (cursor->marked && !cursor->steps) {
        order_set_add(cursor->marked_fresh, op);
    } else if (cursor->marked && order_set_has(cursor->marked_fresh, op) &&
               !order_set_has(cursor->replaced, op)) {
        /* The bundle that was known in the marked state is put aside for order_cursor_return. */
        order_set_add(cursor->replaced, op);
        cursor->marked_bundle[op] = cursor->bundle[op];
    }
    assert(bundle.count > 0 && bundle.most_bytes >= bundle.live_bytes);
    bundle.most_bytes -= cursor->live_bytes;
    bundle.live_bytes -= cursor->live_bytes;
    cursor->bundle[op] = bundle;
    cursor->fresh[op / 64] |= bit;
    if ((int64_t)bundle.live_bytes > 0)
        cursor->falling[op / 64] &= ~bit;
    else
        cursor->falling[op / 64] |= bit;
    if (cursor->marked && !cursor->steps)
        cursor->marked_falling[op / 64] = cursor->falling[op / 64];
}

void order_cursor_mark(struct order_cursor *cursor)
{
    size_t bytes = cursor->model->words * sizeof(uint64_t);
    assert(!cursor->steps);
    memcpy(cursor->marked_fresh, cursor->fresh, bytes);
    memcpy(cursor->marked_falling, cursor->falling, bytes);
    memset(cursor->replaced, 0, bytes);
    cursor->marked = true;
}

void order_cursor_return(struct order_cursor *cursor)
{
    uint32_t words = cursor->model->words;
    assert(cursor->marked);
    order_cursor_undo(cursor, 0);
    memcpy(cursor->fresh, cursor->marked_fresh, words * sizeof(uint64_t));
    memcpy(cursor->falling, cursor->marked_falling, words * sizeof(uint64_t));
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = cursor->replaced[w]; left; left &= left - 1) {
            uint32_t op = w * 64 + (uint32_t)__builtin_ctzll(left);
            cursor->bundle[op] = cursor->marked_bundle[op];
        }
        cursor->replaced[w] = 0;
    }
}

struct order_bundle order_cursor_try(struct order_cursor *cursor, uint32_t op)
{
    uint64_t live = cursor->live_bytes;
    assert(order_set_has(cursor->ready, op));
    if (!cursor->count && cursor->model->view->first_bytes)
        return find_bundle(cursor, op);
    if (!order_set_has(cursor->fresh, op))
        refresh_bundle(cursor, op);
    return (struct order_bundle){cursor->bundle[op].most_bytes + live,
                                 cursor->bundle[op].live_bytes + live, cursor->bundle[op].count};
}

bool order_cursor_waits_for_twin(const struct order_cursor *cursor, uint32_t op)
{
    assert(op < cursor->model->operators);
    uint32_t twin = cursor->model->twin[op];
    assert(twin == ORDER_NONE || twin < op);
    return twin != ORDER_NONE && !order_set_has(cursor->ran, twin);
}

uint32_t order_cursor_next_ready(const struct order_cursor *cursor, uint32_t op)
{
    const struct order_model *model = cursor->model;
    for (uint32_t w = op / 64; w < model->words; w++) {
        uint64_t left = cursor->ready[w];
        if (w == op / 64)
            left &= ~UINT64_C(0) << op % 64;
        for (; left; left &= left - 1) {
            uint32_t v = w * 64 + (uint32_t)__builtin_ctzll(left);
            if (!order_cursor_waits_for_twin(cursor, v))
                return v;
        }
    }
    return ORDER_NONE;
}
