#include "solvers/exact/race/search.h"

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solvers/exact/race/beam.h"
#include "solvers/exact/race/blame.h"
#include "solvers/exact/race/node.h"

/* The buffers that are left in some sections. They are to be placed given what is decided up to a
   frame. */
struct subproblem {
    struct exact_range sections;
    uint32_t frame; /* the frame to go back to if that fails; EXACT_NONE: then there is no plan */
    uint32_t next;  /* subproblem to solve after this one, or EXACT_NONE */
};

/* A decision to go back to: a buffer of the subproblem was placed, in the state that is marked. */
struct frame {
    struct exact_mark mark;
    struct subproblem subproblem;
    uint32_t buffer;
    uint32_t waiting; /* how many subproblems waited then */
};

struct exact_search {
    struct exact_state *state;
    struct frame *frame;        /* [buffers] */
    struct subproblem *waiting; /* [waiting_count] linked by next; those of later frames come behind
                                   those of earlier ones */
    uint32_t frames, waiting_count;
    size_t waiting_capacity;
    struct subproblem subproblem;           /* the one that is being solved */
    uint64_t tree_end, run_end, pause_from; /* counts of placements: the tree or the run ends there,
                                               or may pause */
    uint32_t *rank;                         /* [buffers] of a strategy that learns */
    struct exact_beam *beam;
};

/* However little time there is before a pause, this number of placements is made first. */
enum { LEAST_PLACEMENTS = 64 };

enum status exact_search_create(const struct exact_model *model, struct exact_search **created,
                                struct error *error)
{
    SCOPED(exact_search_release) struct exact_search *search = NULL;
    TRY(memory_create(&search, 1, sizeof *search, error));
    TRY(exact_state_create(model, &search->state, error));
    TRY(memory_create_all(model->buffers, error, &search->frame, &search->rank));
    TRY(exact_beam_create(&search->beam, error));
    HAND_OVER(search, created);
}

void exact_search_free(struct exact_search *search)
{
    if (!search)
        return;
    exact_state_free(search->state);
    memory_free_all(search->frame, search->waiting, search->rank);
    exact_beam_free(search->beam);
    memory_free(search);
}

const struct exact_state *exact_search_state(const struct exact_search *search)
{
    return search->state;
}

/* Goes back to frames, latest first, until the buffer that one of them placed can be rejected
   instead. False where there is none, so that no plan fits the capacity. */
static bool backtrack(struct exact_search *search, uint32_t frame, struct subproblem *subproblem)
{
    while (frame != EXACT_NONE) {
        const struct frame *back = &search->frame[frame];
        assert(frame < search->frames && back->waiting <= search->waiting_count);
        exact_node_undo(search->state, &back->mark);
        *subproblem = back->subproblem;
        search->frames = frame;
        search->waiting_count = back->waiting;
        if (exact_node_reject(search->state, back->buffer))
            return true;
        assert(subproblem->frame == EXACT_NONE || subproblem->frame < frame);
        frame = subproblem->frame;
    }
    return false;
}

/* After a buffer was placed: cuts the subproblem where no buffer that is left lives on both sides.
   What is left from the cut on waits until the rest has been solved. */
static enum status split(struct exact_search *search, uint32_t buffer,
                         struct subproblem *subproblem, struct error *error)
{
    assert(search->state->placed[buffer] && search->frames > 0);
    const struct exact_state *state = search->state;
    const struct exact_model *model = state->model;
    uint32_t lower = model->section[model->first_section[buffer]];
    uint32_t upper = model->section[model->first_section[buffer + 1] - 1];
    assert(lower <= upper && upper < model->sections);
    subproblem->frame = search->frames - 1;
    for (uint32_t s = upper; state->rules & EXACT_RULE_SPLIT && s > lower; s--) {
        if (state->across[s] || s <= subproblem->sections.begin || s >= subproblem->sections.end)
            continue;
        TRY(memory_reserve(&search->waiting, &search->waiting_capacity,
                           (size_t)search->waiting_count + 1, sizeof *search->waiting, error));
        search->waiting[search->waiting_count] = *subproblem;
        search->waiting[search->waiting_count].sections.begin = s;
        subproblem->sections.end = s;
        subproblem->next = search->waiting_count++;
        state->experience->counter[SEARCH_SPLITS]++;
    }
    assert(subproblem->sections.begin < subproblem->sections.end);
    return STATUS_OK;
}

static uint64_t count_placements(const struct exact_search *search)
{
    return search->state->experience->counter[SEARCH_PLACEMENTS];
}

static bool is_stopped(const struct exact_search *search, const struct exact_run *run)
{
    bool pauses = count_placements(search) >= search->pause_from;
    return (run->cancelled && *run->cancelled) ||
           !clock_left_ns(pauses && run->pause_ns < run->deadline_ns ? run->pause_ns
                                                                     : run->deadline_ns);
}

static bool is_over(const struct exact_search *search, const struct exact_run *run)
{
    return count_placements(search) >= search->tree_end || is_stopped(search, run);
}

/* Continues the tree until that has an answer, has had its placements, or is stopped. */
static enum status search_tree(struct exact_search *search, const struct exact_run *run,
                               enum exact_outcome *outcome, struct error *error)
{
    struct exact_state *state = search->state;
    struct subproblem *subproblem = &search->subproblem;
    for (*outcome = EXACT_STOPPED; !is_over(search, run);) {
        TRY(exact_state_reserve(state, error));
        uint32_t buffer = exact_strategy_choose(run->strategy, state, subproblem->sections);
        if (buffer == EXACT_NONE && subproblem->next == EXACT_NONE) {
            assert(state->top.placed == state->model->buffers);
            *outcome = EXACT_FOUND;
            return STATUS_OK;
        }
        if (buffer == EXACT_NONE) {
            assert(subproblem->next < search->waiting_count);
            *subproblem = search->waiting[subproblem->next];
            continue;
        }
        assert(search->frames < state->model->buffers);
        search->frame[search->frames++] = (struct frame){.mark = exact_node_mark(state),
                                                         .subproblem = *subproblem,
                                                         .buffer = buffer,
                                                         .waiting = search->waiting_count};
        assert(buffer < state->model->buffers);
        if (exact_node_place(state, buffer)) {
            TRY(split(search, buffer, subproblem, error));
        } else if (!backtrack(search, search->frames - 1, subproblem)) {
            *outcome = EXACT_REFUTED;
            return STATUS_OK;
        }
    }
    return STATUS_OK;
}

static uint64_t add_placements(const struct exact_search *search, uint64_t placements)
{
    uint64_t now = count_placements(search);
    return placements < UINT64_MAX - now ? now + placements : UINT64_MAX;
}

/* Begins a tree at its root. A strategy that learns searches one tree after another, whose lengths
   follow the Luby series, which is not far from the best choice whatever the search needs (Luby,
   Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms", Information Processing Letters
   47, 1993). The passes of a beam end by themselves. */
static enum status begin_tree(struct exact_search *search, const struct exact_run *run,
                              enum exact_outcome *outcome, struct error *error)
{
    struct exact_state *state = search->state;
    const uint32_t *rank = run->rank;
    bool is_beam = run->strategy->is_beam;
    search->tree_end = search->run_end;
    if (run->strategy->learns) {
        uint64_t shortest = 2 * (uint64_t)state->model->buffers + 8;
        uint64_t index = ++state->experience->restarts;
        uint64_t end = add_placements(search, shortest * exact_round_luby(index));
        search->tree_end = end < search->run_end && !is_beam ? end : search->run_end;
        TRY(exact_blame_rank(state, run->rank, search->rank, error));
        rank = search->rank;
    }
    TRY(exact_state_reserve(state, error));
    state->experience->counter[SEARCH_RESTARTS]++;
    search->frames = search->waiting_count = 0;
    search->subproblem = (struct subproblem){{0, state->model->sections}, EXACT_NONE, EXACT_NONE};
    bool can_be = exact_node_start(state, run->rules, rank, run->capacity);
    assert(can_be || state->next_capacity > run->capacity);
    *outcome = can_be ? EXACT_STOPPED : EXACT_REFUTED;
    if (!can_be || !is_beam)
        return STATUS_OK;

    /* Half of the placements that are left, so that a few passes, each of which differs from the
       others, have a chance. */
    return exact_beam_begin(search->beam, state, (search->run_end - count_placements(search)) / 2,
                            state->experience->restarts, error);
}

bool exact_search_can_go_on(const struct exact_search *search)
{
    return count_placements(search) < search->run_end;
}

enum status exact_search_go_on(struct exact_search *search, const struct exact_run *run,
                               enum exact_outcome *outcome, struct error *error)
{
    assert(search->state->experience == run->experience && search->state->rules == run->rules);
    search->pause_from = add_placements(search, LEAST_PLACEMENTS);
    for (;;) {
        bool found = false;
        *outcome = EXACT_STOPPED;
        if (!run->strategy->is_beam)
            TRY(search_tree(search, run, outcome, error));
        while (run->strategy->is_beam && !found && !exact_beam_is_over(search->beam) &&
               !is_over(search, run))
            TRY(exact_beam_advance(search->beam, run->strategy, &found, error));
        if (found)
            *outcome = EXACT_FOUND;
        if (*outcome != EXACT_STOPPED || !exact_search_can_go_on(search) || is_stopped(search, run))
            return STATUS_OK;
        TRY(begin_tree(search, run, outcome, error));
        if (*outcome == EXACT_REFUTED)
            return STATUS_OK;
    }
}

enum status exact_search_run(struct exact_search *search, const struct exact_run *run,
                             enum exact_outcome *outcome, struct error *error)
{
    assert(run->strategy && run->grid && run->placements > 0);
    assert(run->experience && !run->experience->blame == !run->strategy->learns);
    TRY(exact_state_fit(search->state, run->grid, error));
    for (struct exact_state *state = search->state; state; state = state->along)
        state->experience = run->experience;
    search->run_end = add_placements(search, run->placements);
    TRY(begin_tree(search, run, outcome, error));
    return *outcome == EXACT_REFUTED ? STATUS_OK : exact_search_go_on(search, run, outcome, error);
}
