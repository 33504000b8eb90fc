#include "solvers/order_exact/search/decide.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/compare.h"
#include "core/memory.h"
#include "core/set_table.h"
#include "solvers/order_exact/bounds/cut.h"
#include "solvers/order_exact/model/forced.h"

/* The search runs only operators that take no more than the capacity. A frame is a downset on the
   way from the empty set to the present one. If a frame W has no more live bytes than any downset
   between it and an earlier frame V, then W can be extended to an order if V can. So if W cannot, V
   cannot either, and the search goes back beyond V. */

enum { STATES_BETWEEN_CLOCKS = 64 };

struct choice {
    uint64_t live_bytes;
    uint32_t op;
};

struct frame {
    uint64_t live_bytes;
    uint32_t steps;             /* length of the cursor's path */
    uint32_t number;            /* of its downset in `visited` */
    uint32_t back;              /* if this frame leads nowhere, so do all from this number on */
    uint32_t first, next, last; /* its choices are [first, last), those from `next` on not tried */
    bool known;                 /* it is known to lead nowhere, and has no choices */
};

struct order_decider {
    const struct order_model *model;
    const struct order_effort *effort;
    uint64_t capacity_bytes;
    struct order_cursor cursor;
    struct order_cut cut;
    struct set_table visited; /* the downsets that the search has been at */
    bool *forgotten;          /* [visited.count] may be visited again */
    struct frame *frame;      /* [depth] */
    struct choice *choice;
    uint64_t *set, *least; /* [words] */
    uint32_t *path;        /* [operators] */
    uint32_t depth;
    size_t frame_capacity, choice_capacity, forgotten_capacity;
    uint64_t states; /* expanded so far */
    bool started;
    struct scratch memory;
};

COMPARE_MEMBERS(compare_choices, struct choice, live_bytes, op)

/* Adds the state of the cursor to the visited ones; *is_new: it was not among them. */
static enum status visit(struct order_decider *decider, uint32_t *number, bool *is_new,
                         struct error *error)
{
    const struct order_cursor *cursor = &decider->cursor;
    *number = set_table_find(&decider->visited, cursor->ran, cursor->hash);
    *is_new = *number == SET_TABLE_NONE || decider->forgotten[*number];
    if (*number == SET_TABLE_NONE) {
        *number = decider->visited.count;
        TRY(memory_reserve(&decider->forgotten, &decider->forgotten_capacity, (size_t)*number + 1,
                           sizeof *decider->forgotten, error));
        TRY(set_table_add(&decider->visited, cursor->ran, cursor->hash, error));
    }
    decider->forgotten[*number] = false;
    assert(*number < decider->visited.count);
    return STATUS_OK;
}

/* Adds a frame for the state of the cursor. It gets no choices where it leads nowhere: where the
   caller knows that some operator that is left needs too much, or where the state was visited
   before. */
static enum status enter(struct order_decider *decider, bool known, struct error *error)
{
    struct order_cursor *cursor = &decider->cursor;
    uint32_t depth = decider->depth, first = depth ? decider->frame[depth - 1].last : 0;
    struct frame frame = {.live_bytes = cursor->live_bytes,
                          .steps = cursor->steps,
                          .back = depth,
                          .first = first,
                          .next = first,
                          .last = first,
                          .known = known};
    bool is_new;
    assert(!depth || cursor->steps >= decider->frame[depth - 1].steps);
    TRY(memory_reserve(&decider->frame, &decider->frame_capacity, (size_t)depth + 1,
                       sizeof *decider->frame, error));
    if (!known) {
        TRY(visit(decider, &frame.number, &is_new, error));
        frame.known = !is_new;
    }
    for (uint32_t v = frame.known ? ORDER_NONE : order_cursor_next_ready(cursor, 0);
         v != ORDER_NONE; v = order_cursor_next_ready(cursor, v + 1)) {
        struct order_bundle bundle = order_cursor_try(cursor, v);
        if (bundle.most_bytes > decider->capacity_bytes)
            continue;
        TRY(memory_reserve(&decider->choice, &decider->choice_capacity, (size_t)frame.last + 1,
                           sizeof *decider->choice, error));
        decider->choice[frame.last++] = (struct choice){bundle.live_bytes, v};
    }
    if (frame.last > first)
        qsort(decider->choice + first, frame.last - first, sizeof(struct choice), compare_choices);
    decider->states += !frame.known;
    assert(!frame.known || frame.last == first);
    decider->frame[decider->depth++] = frame;
    return STATUS_OK;
}

/* Goes back to frame `base`, and runs those steps of the path from there on, in the same order,
   whose operators are in the set. */
static void follow(struct order_decider *decider, uint32_t base, const uint64_t *set)
{
    struct order_cursor *cursor = &decider->cursor;
    uint64_t must_live = 0;
    assert(base < decider->depth && cursor->steps <= decider->model->operators);
    uint32_t first = decider->frame[base].steps, steps = cursor->steps;
    memcpy(decider->path, cursor->path, steps * sizeof *decider->path);
    assert(first <= steps);
    order_cursor_undo(cursor, first);
    for (uint32_t i = first; i < steps; i++)
        if (order_set_has(set, decider->path[i]))
            order_cursor_step(cursor, decider->path[i], &must_live);
}

/* Looks at all downsets between the top frame and its base, the first of the frames right under the
   top one that all have at least as many live bytes. If none of these downsets has fewer live bytes
   than the top frame, all frames from the base on lead nowhere where the top one does. If one has
   fewer, the search goes on from there instead: *moved is set, and *known where an operator that is
   left needs too much. */
static enum status cross_valley(struct order_decider *decider, bool *known, bool *moved,
                                struct error *error)
{
    const struct order_cursor *cursor = &decider->cursor;
    uint32_t top = decider->depth - 1, base = top;
    uint64_t top_bytes = decider->frame[top].live_bytes, live, must_live = 0;
    assert(decider->frame[top].steps == cursor->steps && top_bytes == cursor->live_bytes);
    *moved = false;
    while (base > 0 && decider->frame[base - 1].live_bytes >= top_bytes)
        base--;
    if (base == top)
        return STATUS_OK;
    memcpy(decider->least, cursor->ran, decider->model->words * sizeof *decider->least);
    for (uint32_t i = decider->frame[base].steps; i < cursor->steps; i++)
        order_set_remove(decider->least, cursor->path[i]);
    const struct order_interval interval = {decider->least, cursor->ran};
    TRY(order_cut_find(&decider->cut, &interval, FLOW_UNLIMITED, &live, decider->set, error));
    assert(live <= top_bytes);
    if (live >= top_bytes) {
        decider->frame[top].back = decider->frame[base].back;
        assert(decider->frame[top].back <= base);
        return STATUS_OK;
    }
    if (decider->model->spares ||
        (decider->model->view->first_bytes && !decider->frame[base].steps))
        return STATUS_OK;
    for (uint32_t i = base + 1; i <= top; i++)
        if (!decider->frame[i].known)
            decider->forgotten[decider->frame[i].number] = true;
    follow(decider, base, decider->set);
    decider->depth = base + 1;
    assert(cursor->live_bytes == live);
    decider->frame[base].last = decider->frame[base].next = decider->frame[base].first;
    order_forced_run(&decider->cursor, decider->capacity_bytes, &must_live);
    *known = must_live > decider->capacity_bytes;
    *moved = true;
    return STATUS_OK;
}

/* Enters the state of the cursor and crosses valleys as long as there are any. */
static enum status advance(struct order_decider *decider, bool known, struct error *error)
{
    bool moved = true;
    while (moved) {
        TRY(enter(decider, known, error));
        if (!(decider->model->rules & ORDER_VALLEYS))
            return STATUS_OK;
        TRY(cross_valley(decider, &known, &moved, error));
    }
    return STATUS_OK;
}

/* Tries the next choice of the top frame; *tried is false where there is none. What it takes is
   asked again, as choices may have been listed for a higher capacity. */
static enum status try_choice(struct order_decider *decider, bool *tried, struct error *error)
{
    struct frame *frame = &decider->frame[decider->depth - 1];
    struct order_cursor *cursor = &decider->cursor;
    uint64_t capacity = decider->capacity_bytes, must_live = 0;
    assert(decider->depth && frame->first <= frame->next && frame->next <= frame->last);
    order_cursor_undo(cursor, frame->steps);
    *tried = frame->next < frame->last;
    if (!*tried)
        return STATUS_OK;
    uint32_t op = decider->choice[frame->next++].op;
    assert(!order_set_has(cursor->ran, op) && cursor->steps == frame->steps);
    if (order_cursor_try(cursor, op).most_bytes > capacity)
        return STATUS_OK;
    order_cursor_run(cursor, op, &must_live);
    if (must_live <= capacity)
        order_forced_run(cursor, capacity, &must_live);
    return advance(decider, must_live > capacity, error);
}

static enum status start(struct order_decider *decider, struct error *error)
{
    uint64_t must_live = 0, capacity = decider->capacity_bytes;
    decider->started = true;
    assert(!decider->depth);
    order_cursor_undo(&decider->cursor, 0);
    order_forced_run(&decider->cursor, capacity, &must_live);
    return advance(decider, must_live > capacity, error);
}

/* Continues with a lower capacity. Frames that are not reached within it are dropped, and may be
   visited again. The last frame left is entered again, since it may have given up its choices for a
   state across a valley that is no longer reached. */
static enum status lower_capacity(struct order_decider *decider, struct error *error)
{
    struct order_cursor *cursor = &decider->cursor;
    uint64_t must_live = 0, capacity = decider->capacity_bytes;
    uint32_t kept = decider->depth, steps = decider->frame[kept - 1].steps;
    assert(kept > 0);
    /* Moves the cursor along the first steps to the top frame, as far as these take no more than
       the capacity and let no operator that is left need more. */
    assert(steps <= cursor->steps);
    memcpy(decider->path, cursor->path, steps * sizeof *decider->path);
    order_cursor_undo(cursor, 0);
    for (uint32_t i = 0; i < steps && must_live <= capacity; i++) {
        if (order_cursor_transient(cursor, decider->path[i]) > capacity)
            break;
        order_cursor_step(cursor, decider->path[i], &must_live);
    }
    if (must_live > capacity)
        order_cursor_undo(cursor, cursor->steps - 1);
    while (kept && decider->frame[kept - 1].steps > cursor->steps)
        kept--;
    steps = kept ? decider->frame[--kept].steps : 0;
    for (uint32_t i = kept; i < decider->depth; i++)
        if (!decider->frame[i].known)
            decider->forgotten[decider->frame[i].number] = true;
    decider->depth = kept;
    if (!kept)
        return start(decider, error);
    order_cursor_undo(cursor, steps);
    return advance(decider, false, error);
}

uint64_t order_decider_states(const struct order_decider *decider)
{
    return decider->states;
}

enum status order_decider_ask(struct order_decider *decider, const struct order_question *question,
                              uint32_t *permutation, enum order_decision *decision,
                              struct error *error)
{
    uint64_t before = decider->capacity_bytes, capacity = question->capacity_bytes;
    *decision = ORDER_NO;
    assert(!decider->started || decider->depth <= decider->model->operators + 1);
    if (order_model_bound(decider->model) > capacity)
        return STATUS_OK;
    decider->capacity_bytes = capacity;
    if (!decider->started || capacity > before) {
        set_table_clear(&decider->visited);
        decider->depth = 0;
        TRY(start(decider, error));
    } else if (capacity < before && decider->depth) {
        TRY(lower_capacity(decider, error));
    }
    uint64_t most_states = question->states < UINT64_MAX - decider->states
                               ? decider->states + question->states
                               : UINT64_MAX;
    while (decider->depth) {
        if (decider->cursor.count == decider->model->operators) {
            *decision = ORDER_YES;
            assert(decider->cursor.steps == decider->model->operators);
            memcpy(permutation, decider->cursor.path,
                   decider->model->operators * sizeof *permutation);
            return STATUS_OK;
        }
        if (set_table_bytes(&decider->visited) + decider->forgotten_capacity >
            decider->effort->most_bytes)
            *decision = ORDER_OUT_OF_MEMORY;
        else if (decider->states % STATES_BETWEEN_CLOCKS == 0 &&
                 !clock_left_ns(decider->effort->deadline_ns))
            *decision = ORDER_OUT_OF_TIME;
        else if (decider->states >= most_states)
            *decision = ORDER_OUT_OF_STATES;
        if (*decision != ORDER_NO)
            return STATUS_OK;
        bool tried;
        TRY(try_choice(decider, &tried, error));
        if (!tried)
            decider->depth = decider->frame[decider->depth - 1].back;
    }
    return STATUS_OK;
}

enum status order_decider_create(const struct order_model *model, const struct order_effort *effort,
                                 struct order_decider **created, struct error *error)
{
    SCOPED(order_decider_release) struct order_decider *decider = NULL;
    TRY(memory_create(&decider, 1, sizeof *decider, error));
    struct scratch *memory = &decider->memory;
    decider->model = model;
    decider->effort = effort;
    decider->visited.words = model->words;
    TRY(order_cursor_create(model, &decider->cursor, error));
    TRY(order_cut_create(model, &decider->cut, error));
    TRY(scratch_take_all(memory, model->words, error, &decider->set, &decider->least));
    TRY(scratch_take(memory, &decider->path, model->operators, sizeof(uint32_t), error));
    HAND_OVER(decider, created);
}

void order_decider_free(struct order_decider *decider)
{
    if (!decider)
        return;
    order_cursor_free(&decider->cursor);
    order_cut_free(&decider->cut);
    set_table_free(&decider->visited);
    memory_free_all(decider->forgotten, decider->frame, decider->choice);
    scratch_free(&decider->memory);
    memory_free(decider);
}
