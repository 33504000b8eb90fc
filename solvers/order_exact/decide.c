#include "solvers/order_exact/decide.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solvers/order_exact/cursor.h"
#include "solvers/order_exact/cut.h"
#include "solvers/order_exact/visited.h"

/* Every downset below is reached by operators that take no more than the capacity. A frame is a
   downset on the way from nothing to where the search is. Once a frame W has no more live bytes
   than any downset between it and a frame V below, an order goes on from W wherever one goes on
   from V: where W leads nowhere, V does not either, and the search goes back beyond V. */

enum { STATES_BETWEEN_CLOCKS = 64 };

struct choice {
    uint64_t live_bytes;
    uint32_t op;
};

struct frame {
    uint64_t live_bytes;
    uint32_t steps;             /* of the cursor's path */
    uint32_t number;            /* of the visited set */
    uint32_t back;              /* frame that leads nowhere either if this one does not */
    uint32_t first, next, last; /* choices not tried: [next, last) of choice, from `first` on */
    bool known;                 /* to lead nowhere: it has no choices */
};

struct decider {
    const struct order_model *model;
    const struct order_question *question;
    const struct order_effort *effort;
    struct order_cursor cursor;
    struct order_cut cut;
    struct order_visited visited;
    struct frame *frame; /* [depth] */
    struct choice *choice;
    uint64_t *set, *least; /* [words] */
    uint32_t *path;        /* [operators] */
    uint32_t depth;
    size_t frame_capacity, choice_capacity;
    uint64_t states;
};

static int compare_choices(const void *left, const void *right)
{
    const struct choice *a = left, *b = right;
    if (a->live_bytes != b->live_bytes)
        return a->live_bytes < b->live_bytes ? -1 : 1;
    return (a->op > b->op) - (a->op < b->op);
}

static enum status list_choices(struct decider *decider, struct frame *frame, struct error *error)
{
    struct order_cursor *cursor = &decider->cursor;
    for (uint32_t v = order_cursor_next_ready(cursor, 0); v != ORDER_NONE;
         v = order_cursor_next_ready(cursor, v + 1)) {
        struct order_bundle bundle = order_cursor_try(cursor, v);
        if (bundle.most_bytes > decider->question->capacity_bytes)
            continue;
        TRY(memory_reserve(&decider->choice, &decider->choice_capacity, (size_t)frame->last + 1,
                           sizeof *decider->choice, error));
        decider->choice[frame->last++] = (struct choice){bundle.live_bytes, v};
    }
    if (frame->last > frame->first)
        qsort(decider->choice + frame->first, frame->last - frame->first, sizeof(struct choice),
              compare_choices);
    return STATUS_OK;
}

/* A frame for the place of the cursor, without choices where that is known to lead nowhere: where
   it was visited before, or where some operator needs too much from here on. */
static enum status enter(struct decider *decider, bool known, struct error *error)
{
    struct order_cursor *cursor = &decider->cursor;
    uint32_t depth = decider->depth, last = depth ? decider->frame[depth - 1].last : 0;
    struct frame frame = {.live_bytes = cursor->live_bytes,
                          .steps = cursor->steps,
                          .back = depth,
                          .first = last,
                          .next = last,
                          .last = last,
                          .known = known};
    bool is_new;
    TRY(memory_reserve(&decider->frame, &decider->frame_capacity, (size_t)depth + 1,
                       sizeof *decider->frame, error));
    if (!known) {
        TRY(order_visited_add(&decider->visited, cursor->ran, cursor->hash, &is_new, &frame.number,
                              error));
        frame.known = !is_new;
    }
    if (!frame.known) {
        TRY(list_choices(decider, &frame, error));
        decider->states++;
    }
    decider->frame[decider->depth++] = frame;
    return STATUS_OK;
}

/* Runs what the path did that is in the set, in the same order, from frame `base` on. */
static void follow(struct decider *decider, uint32_t base, const uint64_t *set)
{
    struct order_cursor *cursor = &decider->cursor;
    uint64_t must_live = 0;
    uint32_t first = decider->frame[base].steps, steps = cursor->steps;
    memcpy(decider->path, cursor->path, steps * sizeof *decider->path);
    order_cursor_undo(cursor, first);
    for (uint32_t i = first; i < steps; i++)
        if (order_set_has(set, decider->path[i]))
            order_cursor_step(cursor, decider->path[i], &must_live);
}

/* The first frame of those under the top one that have at least as many live bytes, without a gap;
   the top one where there is none. */
static uint32_t find_base(const struct decider *decider)
{
    uint32_t base = decider->depth - 1;
    uint64_t live = decider->frame[base].live_bytes;
    while (base > 0 && decider->frame[base - 1].live_bytes >= live)
        base--;
    return base;
}

static void find_set_of(struct decider *decider, uint32_t base)
{
    const struct order_cursor *cursor = &decider->cursor;
    memcpy(decider->least, cursor->ran, decider->model->words * sizeof *decider->least);
    for (uint32_t i = decider->frame[base].steps; i < cursor->steps; i++)
        decider->least[cursor->path[i] / 64] &= ~(UINT64_C(1) << cursor->path[i] % 64);
}

/* The top frame leads from a valley to the next where it has the fewest live bytes of all downsets
   in between. Where another has fewer the search goes on from there. */
static enum status cross_valley(struct decider *decider, bool *known, bool *moved,
                                struct error *error)
{
    uint32_t base = find_base(decider), top = decider->depth - 1;
    uint64_t live, must_live = 0;
    *moved = false;
    if (base == top)
        return STATUS_OK;
    find_set_of(decider, base);
    const struct order_interval interval = {decider->least, decider->cursor.ran};
    TRY(order_cut_find(&decider->cut, &interval, FLOW_UNLIMITED, &live, decider->set, error));
    if (live >= decider->frame[top].live_bytes) {
        decider->frame[top].back = decider->frame[base].back;
        return STATUS_OK;
    }
    if (decider->model->overwrites ||
        (decider->model->view->first_bytes && !decider->frame[base].steps))
        return STATUS_OK;
    for (uint32_t i = base + 1; i <= top; i++)
        if (!decider->frame[i].known)
            order_visited_forget(&decider->visited, decider->frame[i].number);
    follow(decider, base, decider->set);
    decider->depth = base + 1;
    decider->frame[base].last = decider->frame[base].next = decider->frame[base].first;
    order_cursor_normalise(&decider->cursor, decider->question->capacity_bytes, &must_live);
    *known = must_live > decider->question->capacity_bytes;
    *moved = true;
    return STATUS_OK;
}

/* Enters the place of the cursor and crosses valleys as long as there are any. */
static enum status advance(struct decider *decider, bool known, struct error *error)
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

/* Tries the next choice of the top frame; false where there is none. */
static enum status try_choice(struct decider *decider, bool *tried, struct error *error)
{
    struct frame *frame = &decider->frame[decider->depth - 1];
    struct order_cursor *cursor = &decider->cursor;
    uint64_t capacity = decider->question->capacity_bytes, must_live = 0;
    order_cursor_undo(cursor, frame->steps);
    *tried = frame->next < frame->last;
    if (!*tried)
        return STATUS_OK;
    order_cursor_run(cursor, decider->choice[frame->next++].op, &must_live);
    if (must_live <= capacity)
        order_cursor_normalise(cursor, capacity, &must_live);
    return advance(decider, must_live > capacity, error);
}

static bool is_over(const struct decider *decider, enum order_decision *decision)
{
    if (order_visited_bytes(&decider->visited) > decider->effort->most_bytes)
        *decision = ORDER_OUT_OF_MEMORY;
    else if (decider->states % STATES_BETWEEN_CLOCKS == 0 &&
             !clock_left_ns(decider->effort->deadline_ns))
        *decision = ORDER_OUT_OF_TIME;
    else if (decider->states >= decider->question->states)
        *decision = ORDER_OUT_OF_STATES;
    else
        return false;
    return true;
}

static enum status run(struct decider *decider, enum order_decision *decision, struct error *error)
{
    uint64_t must_live = 0, capacity = decider->question->capacity_bytes;
    bool tried;
    order_cursor_normalise(&decider->cursor, capacity, &must_live);
    TRY(advance(decider, must_live > capacity, error));
    while (decider->depth) {
        if (decider->cursor.count == decider->model->operators) {
            *decision = ORDER_YES;
            return STATUS_OK;
        }
        if (is_over(decider, decision))
            return STATUS_OK;
        TRY(try_choice(decider, &tried, error));
        if (!tried)
            decider->depth = decider->frame[decider->depth - 1].back;
    }
    *decision = ORDER_NO;
    return STATUS_OK;
}

enum status order_decide(const struct order_model *model, const struct order_question *question,
                         const struct order_effort *effort, uint32_t *permutation,
                         enum order_decision *decision, uint64_t *states_done, struct error *error)
{
    struct decider decider = {.model = model, .question = question, .effort = effort};
    enum status status;
    decider.visited.words = model->words;
    *decision = ORDER_NO;
    if (order_model_bound(model) > question->capacity_bytes)
        return STATUS_OK;
    TRY_OR_DONE(status, order_cursor_create(model, &decider.cursor, error));
    TRY_OR_DONE(status, order_cut_create(model, &decider.cut, error));
    TRY_OR_DONE(status, memory_create(&decider.set, model->words, sizeof(uint64_t), error));
    TRY_OR_DONE(status, memory_create(&decider.least, model->words, sizeof(uint64_t), error));
    TRY_OR_DONE(status, memory_create(&decider.path, model->operators, sizeof(uint32_t), error));
    status = run(&decider, decision, error);
    *states_done += decider.states;
    if (!status && *decision == ORDER_YES)
        memcpy(permutation, decider.cursor.path, model->operators * sizeof *permutation);
done:
    order_cursor_free(&decider.cursor);
    order_cut_free(&decider.cut);
    order_visited_free(&decider.visited);
    memory_free(decider.frame);
    memory_free(decider.choice);
    memory_free(decider.set);
    memory_free(decider.least);
    memory_free(decider.path);
    return status;
}
