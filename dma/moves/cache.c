#include "core/memory.h"
#include "dma/moves/rows.h"

/* The walk: for each item where it is. A stay that has not ended yet has its upper end at the end
   of all steps. */
struct cache {
    struct move_draft *draft;
    unsigned flags;   /* of enum cache_flag */
    uint32_t backing; /* the memory that items leave for */
    uint32_t *fast;   /* [items] its stay in the first memory, or MEMORY_NONE */
    uint32_t *copy;   /* [items] its stay elsewhere, or MEMORY_NONE */
    uint32_t *last;   /* [items] the step that used it last */
};

static void clear_cache(struct cache *cache)
{
    memory_free_all(cache->fast, cache->copy, cache->last);
}

uint32_t cache_backing(const struct move_problem *problem)
{
    uint32_t largest = problem->chip->memories > 1;
    for (uint32_t m = largest; m < problem->chip->memories; m++)
        if (problem->chip->memory[m].capacity_bytes > problem->chip->memory[largest].capacity_bytes)
            largest = m;
    return largest;
}

static enum status create_cache(struct cache *cache, struct error *error)
{
    const struct move_problem *problem = cache->draft->problem;
    cache->backing = cache_backing(problem);
    TRY(memory_create_all(problem->items, error, &cache->fast, &cache->copy, &cache->last));
    for (uint32_t i = 0; i < problem->items; i++)
        cache->fast[i] = cache->copy[i] = MEMORY_NONE;
    return STATUS_OK;
}

static struct move_stay *get_stay(const struct cache *cache, uint32_t s)
{
    return &cache->draft->plan.stay[s];
}

/* The first step from this one on that uses the item; UINT32_MAX: none does. */
static uint32_t find_use(const struct cache *cache, uint32_t item, uint32_t step)
{
    const struct groups *uses = &cache->draft->uses;
    for (uint64_t u = uses->first[item]; u < uses->first[item + 1]; u++)
        if (uses->item[u] >= step)
            return uses->item[u];
    return UINT32_MAX;
}

/* Whether the item can leave before the step: if it has to be copied, during the step before it. */
static bool may_leave(const struct cache *cache, uint32_t item, uint32_t step)
{
    if (cache->fast[item] == MEMORY_NONE || find_use(cache, item, step) == step)
        return false;
    const struct move_stay *stay = get_stay(cache, cache->fast[item]);
    return stay->lower < step && (cache->copy[item] != MEMORY_NONE ||
                                  (stay->ready + 1 <= step && stay->lower + 1 < step));
}

static uint32_t find_victim(const struct cache *cache, uint32_t step)
{
    uint32_t found = MEMORY_NONE;
    for (uint32_t i = 0; i < cache->draft->problem->items; i++) {
        if (!may_leave(cache, i, step))
            continue;
        if (found == MEMORY_NONE || (!(cache->flags & CACHE_FARTHEST_USE)
                                         ? cache->last[i] < cache->last[found]
                                         : find_use(cache, i, step) > find_use(cache, found, step)))
            found = i;
    }
    return found;
}

/* Ends the stay of the item before the step, and copies it where that is needed. *gone:
   it could. */
static enum status leave(struct cache *cache, uint32_t item, uint32_t step, bool *gone,
                         struct error *error)
{
    struct move_draft *draft = cache->draft;
    *gone = true;
    if (cache->copy[item] == MEMORY_NONE) {
        struct move_stay stay = {item,     cache->backing, cache->fast[item],
                                 step - 1, step,           draft->problem->item[item].to,
                                 0};
        *gone = cache->backing > 0;
        if (*gone)
            TRY(move_draft_find(draft, &stay, MEMORY_NONE, gone, error));
        if (!*gone)
            return STATUS_OK;
        cache->copy[item] = draft->plan.count;
        TRY(move_plan_add(&draft->plan, &stay, error));
    }
    get_stay(cache, cache->fast[item])->upper = step;
    cache->fast[item] = MEMORY_NONE;
    return STATUS_OK;
}

/* Makes room for a stay in the first memory, as far as that is possible, and adds it. */
static enum status enter(struct cache *cache, struct move_stay *stay, bool *entered,
                         struct error *error)
{
    struct move_draft *draft = cache->draft;
    const struct move_problem *problem = draft->problem;
    uint64_t room = problem->chip->memory[0].capacity_bytes;
    *entered = false;
    for (uint32_t i = 0; i < problem->items; i++)
        if (cache->fast[i] != MEMORY_NONE && !may_leave(cache, i, stay->lower))
            room = room < problem->item[i].bytes ? 0 : room - problem->item[i].bytes;
    if (room < problem->item[stay->item].bytes)
        return STATUS_OK;
    for (;;) {
        bool gone = false;
        TRY(move_draft_find(draft, stay, MEMORY_NONE, entered, error));
        if (*entered)
            break;
        uint32_t victim = find_victim(cache, stay->lower);
        if (victim != MEMORY_NONE)
            TRY(leave(cache, victim, stay->lower, &gone, error));
        if (!gone)
            return STATUS_OK;
    }
    cache->fast[stay->item] = draft->plan.count;
    return move_plan_add(&draft->plan, stay, error);
}

/* Where the item begins if that is not in the first memory: off chip, in the largest other one, or
   wherever there is room. */
static enum status begin_elsewhere(struct cache *cache, uint32_t i, bool *found,
                                   struct error *error)
{
    struct move_draft *draft = cache->draft;
    const struct move_item *item = &draft->problem->item[i];
    uint32_t memories = draft->problem->chip->memories;
    bool is_weights = move_is_weights(draft->problem, i);
    struct move_stay stay = {
        i, cache->backing, MEMORY_NONE, item->from, item->from + !is_weights, item->to, 0};
    *found = is_weights;
    if (is_weights)
        stay.memory = memories;
    else
        TRY(move_draft_find(draft, &stay, MEMORY_NONE, found, error));
    for (uint32_t m = 1; m < memories && !*found; m++) {
        stay.memory = m;
        TRY(move_draft_find(draft, &stay, MEMORY_NONE, found, error));
    }
    if (!*found)
        return STATUS_OK;
    cache->copy[i] = draft->plan.count;
    return move_plan_add(&draft->plan, &stay, error);
}

static enum status use_item(struct cache *cache, uint32_t step, const struct move_access *access,
                            bool *found, struct error *error)
{
    uint32_t i = access->item, end = cache->draft->problem->steps;
    bool entered;
    struct move_stay stay = {.item = i, .lower = step, .upper = end};
    stay.source = access->is_write ? MEMORY_NONE : cache->copy[i];
    stay.ready = access->is_write ? step + 1 : step;
    *found = true;
    if (cache->fast[i] != MEMORY_NONE)
        return STATUS_OK;
    TRY(enter(cache, &stay, &entered, error));
    return entered || !access->is_write ? STATUS_OK : begin_elsewhere(cache, i, found, error);
}

/* Items that are not needed any more end with the step. */
static void end_step(struct cache *cache, uint32_t step)
{
    const struct move_problem *problem = cache->draft->problem;
    for (uint32_t a = problem->first[step]; a < problem->first[step + 1]; a++) {
        uint32_t i = problem->access[a].item;
        cache->last[i] = step;
        if (problem->item[i].to == step + 1 && cache->fast[i] != MEMORY_NONE) {
            get_stay(cache, cache->fast[i])->upper = step + 1;
            cache->fast[i] = MEMORY_NONE;
        }
    }
}

enum status cache_fill(struct move_draft *draft, unsigned flags, bool *found, struct error *error)
{
    const struct move_problem *problem = draft->problem;
    SCOPED(clear_cache) struct cache cache = {.draft = draft, .flags = flags};
    *found = true;
    TRY(create_cache(&cache, error));
    for (uint32_t i = 0; i < problem->items && *found; i++)
        if (move_is_weights(problem, i))
            TRY(begin_elsewhere(&cache, i, found, error));
    for (uint32_t step = 0; step < problem->steps; step++) {
        for (uint32_t a = problem->first[step]; a < problem->first[step + 1] && *found; a++)
            TRY(use_item(&cache, step, &problem->access[a], found, error));
        end_step(&cache, step);
    }
    if (*found)
        TRY(move_draft_settle(draft, found, error));
    return *found ? move_draft_time(draft, error) : STATUS_OK;
}
