#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "dma/moves/rows.h"

/* Trials: the plan of the draft is changed, and kept where it takes less time. */
struct improving {
    struct move_draft *draft;
    uint64_t deadline_ns;
    uint32_t first_copied; /* copies are tried from this item on; 0: after items were moved */
    bool has_changed;      /* in this round */
};

static struct move_stay *get_stay(const struct improving *improving, uint32_t s)
{
    return &improving->draft->plan.stay[s];
}

/* Keeps what was changed of the item where that is sound and faster, or as fast and smaller; else
   takes it back. */
static enum status judge(struct improving *improving, uint32_t item, bool is_placed, bool *kept,
                         struct error *error)
{
    struct move_draft *draft = improving->draft;
    uint64_t before = draft->kept.time;
    bool is_smaller = draft->plan.count < draft->kept.count;
    *kept = is_placed && move_draft_is_sound(improving->draft, item);
    if (*kept) {
        TRY(move_draft_time(draft, error));
        *kept = draft->plan.time < before || (draft->plan.time == before && is_smaller);
    }
    improving->has_changed |= *kept;
    return *kept ? move_draft_keep(draft, error) : move_draft_undo(draft, error);
}

/* Finds a place for stay s, which was changed or added; where that takes less time, by moving all
   others too. */
static enum status place(struct improving *improving, uint32_t s, bool *is_placed,
                         struct error *error)
{
    struct move_draft *draft = improving->draft;
    const struct move_stay *stay = &draft->plan.stay[s];
    TRY(move_draft_find(draft, get_stay(improving, s), s, is_placed, error));
    if (*is_placed || !move_draft_is_sound(draft, stay->item))
        return STATUS_OK;
    TRY(move_draft_time(draft, error));
    return draft->plan.time < draft->kept.time
               ? move_draft_repack(draft, stay->memory, is_placed, error)
               : STATUS_OK;
}

static bool is_over(const struct improving *improving)
{
    return clock_left_ns(improving->deadline_ns) == 0;
}

/* Starts the transfer of a stay earlier, as long as that saves time. */
static enum status start_earlier(struct improving *improving, uint32_t s, struct error *error)
{
    bool kept = !move_is_first(get_stay(improving, s));
    while (kept && !is_over(improving)) {
        uint32_t lower = get_stay(improving, s)->lower;
        kept = false;
        for (uint32_t back = 1; back <= lower && !kept; back *= 2) {
            struct move_stay *stay = get_stay(improving, s);
            bool is_placed;
            stay->lower = lower - back;
            TRY(move_draft_find(improving->draft, stay, s, &is_placed, error));
            TRY(judge(improving, stay->item, is_placed, &kept, error));
        }
    }
    return STATUS_OK;
}

/* Makes a transfer before the branches or loops around it are entered. */
static enum status start_outside(struct improving *improving, uint32_t s, struct error *error)
{
    const struct move_problem *problem = improving->draft->problem;
    bool kept = !move_is_first(get_stay(improving, s));
    while (kept && !is_over(improving)) {
        uint32_t region = problem->region[get_stay(improving, s)->ready], owner;
        kept = false;
        while (!kept && (owner = problem->graph->region[region].owner) != GRAPH_NONE) {
            struct move_stay *stay = get_stay(improving, s);
            bool is_placed;
            stay->lower = stay->ready = problem->enter[owner];
            TRY(place(improving, s, &is_placed, error));
            TRY(judge(improving, stay->item, is_placed, &kept, error));
            region = problem->graph->op[owner].region;
        }
    }
    return STATUS_OK;
}

/* Waits later for a transfer; its source lasts until then. */
static enum status wait_later(struct improving *improving, uint32_t s, struct error *error)
{
    bool kept = !move_is_first(get_stay(improving, s));
    while (kept && !is_over(improving)) {
        uint32_t ready = get_stay(improving, s)->ready;
        kept = false;
        for (uint32_t on = 1; ready + on < get_stay(improving, s)->upper && !kept; on *= 2) {
            struct move_stay *stay = get_stay(improving, s);
            struct move_stay *source = get_stay(improving, stay->source);
            bool is_placed = true;
            stay->ready = ready + on;
            if (source->upper < stay->ready) {
                source->upper = stay->ready;
                if (!move_is_off_chip(improving->draft->problem, source->memory))
                    TRY(move_draft_find(improving->draft, source, stay->source, &is_placed, error));
            }
            TRY(judge(improving, stay->item, is_placed, &kept, error));
        }
    }
    return STATUS_OK;
}

/* Leaves a transfer out; what it was copied from lasts as long instead. *is_placed: that can be. */
static enum status take_away(struct improving *improving, uint32_t s, bool *is_placed,
                             struct error *error)
{
    struct move_plan *plan = &improving->draft->plan;
    uint32_t source = plan->stay[s].source, upper = plan->stay[s].upper;
    *is_placed = !move_is_first(&plan->stay[s]);
    for (uint32_t k = s + 1; k < plan->count; k++)
        *is_placed = *is_placed && plan->stay[k].source != s;
    if (!*is_placed)
        return STATUS_OK;
    move_draft_take_out(improving->draft, s);
    if (plan->stay[source].upper >= upper)
        return STATUS_OK;
    plan->stay[source].upper = upper;
    return move_is_off_chip(improving->draft->problem, plan->stay[source].memory)
               ? STATUS_OK
               : move_draft_find(improving->draft, &plan->stay[source], source, is_placed, error);
}

static enum status leave_out(struct improving *improving, uint32_t s, struct error *error)
{
    uint32_t item = get_stay(improving, s)->item;
    bool is_placed, kept;
    TRY(take_away(improving, s, &is_placed, error));
    return judge(improving, item, is_placed, &kept, error);
}

/* Ends each stay when it is not needed any more. */
static void trim(struct improving *improving)
{
    struct move_plan *plan = &improving->draft->plan;
    const struct move_problem *problem = improving->draft->problem;
    const struct groups *uses = &improving->draft->uses;
    for (uint32_t s = plan->count; s-- > 0;) {
        struct move_stay *stay = &plan->stay[s];
        uint32_t upper = stay->lower + 1, item = stay->item;
        if (!move_is_first(stay) && upper <= stay->ready)
            upper = stay->ready + 1;
        for (uint64_t u = uses->first[item]; u < uses->first[item + 1]; u++)
            if (move_draft_find_read(improving->draft, item, uses->item[u]) == s &&
                upper <= uses->item[u])
                upper = uses->item[u] + 1;
        for (uint32_t k = s + 1; k < plan->count; k++) {
            const struct move_stay *other = &plan->stay[k];
            if (other->source == s)
                upper = upper > other->ready ? upper : other->ready;
            if (other->source == s && upper <= other->lower)
                upper = other->lower + 1;
        }
        if (move_is_first(stay) && upper < problem->item[item].first_to)
            upper = problem->item[item].first_to;
        stay->upper = move_end_of_loops(problem, stay->lower, upper);
    }
}

/* Adds a stay, copied from what is cheapest to read then. */
static enum status try_copy(struct improving *improving, struct move_stay stay, bool *kept,
                            struct error *error)
{
    struct move_draft *draft = improving->draft;
    const uint64_t *cost = draft->problem->read_cost;
    bool is_placed;
    *kept = false;
    stay.source = MEMORY_NONE;
    for (uint32_t s = 0; s < draft->plan.count; s++)
        if (move_can_copy(draft->problem, &draft->plan.stay[s], &stay) &&
            (stay.source == MEMORY_NONE ||
             cost[draft->plan.stay[s].memory] < cost[draft->plan.stay[stay.source].memory]))
            stay.source = s;
    if (stay.source == MEMORY_NONE)
        return STATUS_OK;
    TRY(move_plan_add(&draft->plan, &stay, error));
    TRY(place(improving, draft->plan.count - 1, &is_placed, error));
    return judge(improving, stay.item, is_placed, kept, error);
}

/* Copies the item into a memory before a step, for the uses from number u on: for all of them, or
   for one. */
static enum status copy_before(struct improving *improving, struct move_stay stay, uint64_t u,
                               bool *kept, struct error *error)
{
    const struct groups *uses = &improving->draft->uses;
    uint32_t most = stay.ready - improving->draft->problem->item[stay.item].from;
    for (uint64_t last = uses->first[stay.item + 1]; last-- > u && !*kept;) {
        stay.upper = uses->item[last] + 1;
        for (uint32_t back = 0; back <= most && !*kept; back = back ? 2 * back : 1) {
            stay.lower = stay.ready - back;
            TRY(try_copy(improving, stay, kept, error));
        }
        last = last > u + 1 ? u + 1 : last;
    }
    return STATUS_OK;
}

/* Does the same directly before use number u, or before the loops and branches around it are
   entered. */
static enum status copy_for(struct improving *improving, uint32_t item, uint32_t memory, uint64_t u,
                            struct error *error)
{
    const struct move_problem *problem = improving->draft->problem;
    const struct graph *graph = problem->graph;
    struct move_stay stay = {.item = item, .memory = memory};
    bool kept = false;
    stay.ready = improving->draft->uses.item[u];
    while (!kept && stay.ready >= problem->item[item].from) {
        uint32_t owner = graph->region[problem->region[stay.ready]].owner;
        TRY(copy_before(improving, stay, u, &kept, error));
        if (owner == GRAPH_NONE)
            break;
        stay.ready = problem->enter[owner];
    }
    return STATUS_OK;
}

/* Writes the item into a memory, with a copy where it has been written so far. */
static enum status begin_in(struct improving *improving, uint32_t s, uint32_t memory, uint64_t u,
                            bool *kept, struct error *error)
{
    struct move_draft *draft = improving->draft;
    struct move_plan *plan = &draft->plan;
    struct move_stay copy = plan->stay[s];
    bool is_placed;
    plan->stay[s].memory = memory;
    plan->stay[s].upper = draft->uses.item[u] + 1;
    if (plan->stay[s].upper < draft->problem->item[copy.item].first_to)
        plan->stay[s].upper = draft->problem->item[copy.item].first_to;
    TRY(move_draft_find(draft, &plan->stay[s], s, &is_placed, error));
    copy.source = s;
    copy.lower = copy.ready;
    copy.ready = plan->stay[s].upper;
    if (u + 1 < improving->draft->uses.first[copy.item + 1] && copy.ready < copy.upper) {
        TRY(move_plan_add(plan, &copy, error));
        memmove(&plan->stay[s + 2], &plan->stay[s + 1], (plan->count - s - 2) * sizeof copy);
        plan->stay[s + 1] = copy;
        for (uint32_t k = s + 2; k < plan->count; k++)
            if (plan->stay[k].source != MEMORY_NONE && plan->stay[k].source >= s)
                plan->stay[k].source++;
    }
    return judge(improving, copy.item, is_placed, kept, error);
}

static enum status begin_cheaper(struct improving *improving, uint32_t s, struct error *error)
{
    const struct move_problem *problem = improving->draft->problem;
    const struct groups *uses = &improving->draft->uses;
    uint32_t item = get_stay(improving, s)->item, own = get_stay(improving, s)->memory;
    bool kept = false;
    if (!move_is_first(get_stay(improving, s)) || move_is_weights(problem, item))
        return STATUS_OK;
    for (uint32_t m = 0; m + 1 < problem->memories && !kept; m++)
        for (uint64_t u = uses->first[item + 1];
             u-- > uses->first[item] && !kept && problem->write_cost[m] < problem->write_cost[own];)
            TRY(begin_in(improving, s, m, u, &kept, error));
    return STATUS_OK;
}

static enum status copy_more(struct improving *improving, uint32_t item, struct error *error)
{
    const struct move_problem *problem = improving->draft->problem;
    const struct groups *uses = &improving->draft->uses;
    for (uint64_t u = uses->first[item]; u < uses->first[item + 1]; u++)
        for (uint32_t m = 0; m + 1 < problem->memories && !is_over(improving); m++) {
            uint32_t read = move_draft_find_read(improving->draft, item, uses->item[u]);
            if (read != MEMORY_NONE &&
                problem->read_cost[m] < problem->read_cost[get_stay(improving, read)->memory])
                TRY(copy_for(improving, item, m, u, error));
        }
    return STATUS_OK;
}

static enum status improve_transfers(struct improving *improving, struct error *error)
{
    for (uint32_t s = 0; s < improving->draft->plan.count && !is_over(improving); s++) {
        TRY(start_outside(improving, s, error));
        TRY(start_earlier(improving, s, error));
    }
    for (uint32_t s = 0; s < improving->draft->plan.count && !is_over(improving); s++)
        TRY(wait_later(improving, s, error));
    return STATUS_OK;
}

static enum status improve_copies(struct improving *improving, struct error *error)
{
    for (uint32_t s = improving->draft->plan.count; s-- > 0 && !is_over(improving);)
        TRY(leave_out(improving, s, error));
    trim(improving);
    TRY(move_draft_keep(improving->draft, error));
    uint32_t items = improving->draft->problem->items, first = improving->first_copied;
    for (uint32_t i = 0; i < items && first; i++)
        TRY(copy_more(improving, (first + i) % items, error));
    for (uint32_t s = 0; s < improving->draft->plan.count && !is_over(improving); s++)
        TRY(begin_cheaper(improving, s, error));
    for (uint32_t i = 0; i < items && !first; i++)
        TRY(copy_more(improving, i, error));
    return STATUS_OK;
}

enum status improve_starts(struct move_draft *draft, uint64_t deadline_ns, struct error *error)
{
    struct improving improving = {draft, deadline_ns, .has_changed = false};
    TRY(move_draft_keep(draft, error));
    return improve_transfers(&improving, error);
}

static enum status improve_all(struct improving *improving, struct error *error)
{
    improving->has_changed = true;
    while (improving->has_changed && !is_over(improving)) {
        improving->has_changed = false;
        TRY(improve_copies(improving, error));
        TRY(improve_transfers(improving, error));
    }
    return STATUS_OK;
}

/* Leaves out most transfers of a few steps, and moves some items, whatever that costs. */
static enum status shake(struct improving *improving, struct random_state *random,
                         struct error *error)
{
    struct move_draft *draft = improving->draft;
    uint32_t steps = draft->problem->steps;
    uint32_t lower = (uint32_t)random_below(random, steps);
    uint32_t upper = lower + 1 + (uint32_t)random_below(random, steps / 4 + 1);
    for (uint32_t s = draft->plan.count; s-- > 0;) {
        const struct move_stay stay = draft->plan.stay[s];
        bool is_placed;
        if (stay.lower >= upper || lower >= stay.upper || random_below(random, 4) == 0 ||
            move_is_off_chip(draft->problem, stay.memory))
            continue;
        if (move_is_first(&stay)) {
            struct move_stay *first = get_stay(improving, s);
            first->memory = (uint32_t)random_below(random, draft->problem->chip->memories);
            TRY(move_draft_find(draft, first, s, &is_placed, error));
        } else {
            TRY(take_away(improving, s, &is_placed, error));
        }
        TRY(is_placed && move_draft_is_sound(draft, stay.item) ? move_draft_keep(draft, error)
                                                               : move_draft_undo(draft, error));
    }
    improving->first_copied = (uint32_t)random_below(random, draft->problem->items);
    TRY(move_draft_time(draft, error));
    return move_draft_keep(draft, error);
}

enum status improve(struct move_draft *draft, const struct move_task *task, uint64_t deadline_ns,
                    struct error *error)
{
    enum { IDLE_ROUNDS = 100 };
    struct improving improving = {draft, deadline_ns, .has_changed = true};
    SCOPED(move_plan_clear) struct move_plan fastest = {.stay = NULL};
    struct random_state random = random_seed(task->seed);
    TRY(move_draft_keep(draft, error));
    TRY(improve_all(&improving, error));
    TRY(move_plan_copy(&fastest, &draft->plan, error));
    uint32_t most = draft->problem->items ? IDLE_ROUNDS : 0;
    for (uint32_t idle = 0; idle < most && !is_over(&improving); idle++) {
        TRY(shake(&improving, &random, error));
        TRY(improve_all(&improving, error));
        if (draft->plan.time < fastest.time) {
            TRY(move_plan_copy(&fastest, &draft->plan, error));
            idle = 0;
        }
        TRY(move_plan_copy(&draft->plan, &fastest, error));
        TRY(move_draft_keep(draft, error));
    }
    return STATUS_OK;
}
