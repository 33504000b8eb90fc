#include "solvers/exact/race/search.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"

/* Sections begin .. end - 1 and the buffers that are left in them, to be placed under what is
   decided up to a frame. */
struct part {
    uint32_t begin, end;
    uint32_t frame; /* to go back to if this cannot be done; EXACT_NONE: there is no plan */
    uint32_t next;  /* part to do after this one, or EXACT_NONE */
};

/* A buffer was placed in the part; before that the state was as marked. */
struct frame {
    struct exact_mark mark;
    struct part part;
    uint32_t buffer;
    uint32_t parts; /* how many were stored */
};

struct exact_search {
    struct exact_state *state;
    struct frame *frame; /* [buffers] */
    struct part *part;   /* [parts] that wait, linked; a later frame's behind an earlier one's */
    uint32_t frames, parts;
    size_t part_capacity;
    uint64_t placements_end;
    double *kept_weight, kept_increment; /* [sections] */
    uint64_t kept_counter[SEARCH_COUNTERS];
};

enum status exact_search_create(const struct exact_model *model, struct exact_search **created,
                                struct error *error)
{
    struct exact_search *search;
    TRY(memory_create(&search, 1, sizeof *search, error));
    enum status status = exact_state_create(model, &search->state, error);
    if (!status)
        status = memory_create(&search->frame, model->buffers, sizeof *search->frame, error);
    if (!status)
        status = memory_create(&search->kept_weight, model->sections, sizeof(double), error);
    if (status)
        exact_search_free(search);
    else
        *created = search;
    return status;
}

void exact_search_free(struct exact_search *search)
{
    if (!search)
        return;
    exact_state_free(search->state);
    memory_free(search->frame);
    memory_free(search->part);
    memory_free(search->kept_weight);
    memory_free(search);
}

const struct exact_state *exact_search_state(const struct exact_search *search)
{
    return search->state;
}

void exact_search_keep(struct exact_search *search)
{
    const struct exact_state *state = search->state;
    memcpy(search->kept_weight, state->weight, state->model->sections * sizeof(double));
    memcpy(search->kept_counter, state->counter, sizeof search->kept_counter);
    search->kept_increment = state->increment;
}

void exact_search_forget(struct exact_search *search)
{
    struct exact_state *state = search->state;
    memcpy(state->weight, search->kept_weight, state->model->sections * sizeof(double));
    memcpy(state->counter, search->kept_counter, sizeof search->kept_counter);
    state->increment = search->kept_increment;
}

static void push_frame(struct exact_search *search, const struct part *part, uint32_t buffer)
{
    search->frame[search->frames++] = (struct frame){.mark = exact_state_mark(search->state),
                                                     .part = *part,
                                                     .buffer = buffer,
                                                     .parts = search->parts};
}

/* Goes back to frames, latest first, until what one placed can be rejected instead. */
static bool backtrack(struct exact_search *search, uint32_t frame, struct part *part)
{
    while (frame != EXACT_NONE) {
        const struct frame *back = &search->frame[frame];
        exact_state_undo(search->state, &back->mark);
        *part = back->part;
        search->frames = frame;
        search->parts = back->parts;
        if (exact_state_reject(search->state, back->buffer))
            return true;
        frame = part->frame;
    }
    return false;
}

static enum status store_part(struct exact_search *search, const struct part *part,
                              struct error *error)
{
    TRY(memory_reserve(&search->part, &search->part_capacity, (size_t)search->parts + 1,
                       sizeof *search->part, error));
    search->part[search->parts++] = *part;
    return STATUS_OK;
}

/* After a buffer was placed: cuts the part where no buffer that is left lives on both sides. */
static enum status split_part(struct exact_search *search, uint32_t buffer, struct part *part,
                              struct error *error)
{
    const struct exact_state *state = search->state;
    const struct exact_model *model = state->model;
    uint32_t lower = model->section[model->first_section[buffer]];
    uint32_t upper = model->section[model->first_section[buffer + 1] - 1];
    part->frame = search->frames - 1;
    if (!(state->rules & EXACT_RULE_SPLIT))
        return STATUS_OK;
    for (uint32_t s = upper; s > lower; s--) {
        if (state->across[s] || s <= part->begin || s >= part->end)
            continue;
        TRY(store_part(search, &(struct part){s, part->end, part->frame, part->next}, error));
        part->end = s;
        part->next = search->parts - 1;
        search->state->counter[SEARCH_SPLITS]++;
    }
    return STATUS_OK;
}

static bool is_over(struct exact_search *search, const struct exact_run *run)
{
    uint64_t placements = search->state->counter[SEARCH_PLACEMENTS];
    if (placements >= search->placements_end)
        return true;
    bool cancelled = false;
    if (run->cancelled) {
#pragma omp atomic read
        cancelled = *run->cancelled;
    }
    return cancelled ||
           (run->deadline_ns != UINT64_MAX && clock_monotonic_ns() >= run->deadline_ns);
}

static enum status search_tree(struct exact_search *search, const struct exact_run *run,
                               enum exact_outcome *outcome, struct error *error)
{
    struct exact_state *state = search->state;
    struct part part = {0, state->model->sections, EXACT_NONE, EXACT_NONE};
    for (*outcome = EXACT_STOPPED; !is_over(search, run);) {
        TRY(exact_state_reserve(state, error));
        uint32_t buffer = exact_order_choose(run->order, state, part.begin, part.end);
        if (buffer == EXACT_NONE && part.next == EXACT_NONE) {
            *outcome = EXACT_FOUND;
            return STATUS_OK;
        }
        if (buffer == EXACT_NONE) {
            part = search->part[part.next];
            continue;
        }
        push_frame(search, &part, buffer);
        if (exact_state_place(state, buffer)) {
            TRY(split_part(search, buffer, &part, error));
        } else if (!backtrack(search, search->frames - 1, &part)) {
            *outcome = EXACT_REFUTED;
            return STATUS_OK;
        }
    }
    return STATUS_OK;
}

enum status exact_search_run(struct exact_search *search, const struct exact_run *run,
                             enum exact_outcome *outcome, struct error *error)
{
    struct exact_state *state = search->state;
    uint64_t begin = state->counter[SEARCH_PLACEMENTS];
    TRY(exact_state_fit(state, run->grid, error));
    TRY(exact_state_reserve(state, error));
    state->counter[SEARCH_RESTARTS]++;
    search->frames = search->parts = 0;
    search->placements_end =
        run->placements < UINT64_MAX - begin ? begin + run->placements : UINT64_MAX;
    if (exact_state_start(state, run->rules, run->rank, run->capacity))
        return search_tree(search, run, outcome, error);
    *outcome = EXACT_REFUTED;
    return STATUS_OK;
}
