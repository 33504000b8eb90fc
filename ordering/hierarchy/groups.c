#include "ordering/hierarchy/groups.h"

#include <stdlib.h>
#include <strings.h>

#include "core/compare.h"

/* The dominators of each chain: the chains that every way from one end of the graph to it
   passes. */
struct dominators {
    uint32_t *parent; /* [chains] the last dominator before the chain itself; ORDER_NONE: none */
    uint32_t *depth;  /* [chains] how many dominators it has, itself counted */
};

static uint32_t meet(const struct dominators *dominators, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (a == ORDER_NONE || b == ORDER_NONE)
            return ORDER_NONE;
        if (dominators->depth[a] >= dominators->depth[b])
            a = dominators->parent[a];
        else
            b = dominators->parent[b];
    }
    return a;
}

/* Whether the chain is the other one, or every way to the other one passes it. O(depth). */
static bool dominators_has(const struct dominators *dominators, uint32_t chain, uint32_t other)
{
    while (other != ORDER_NONE && dominators->depth[other] > dominators->depth[chain])
        other = dominators->parent[other];
    return chain == other;
}

/* Ways begin at the start of the graph or, without from_start, at its end. A chain at that end has
   only itself as dominator, and so has a chain to which ways without a common chain lead. O(edges *
   depth). */
static enum status dominators_create(const struct hierarchy *hierarchy, bool from_start,
                                     struct dominators *dominators, struct scratch *scratch,
                                     struct error *error)
{
    const struct order_lists *lists = from_start ? &hierarchy->before : &hierarchy->after;
    uint32_t chains = hierarchy->chains;
    TRY(scratch_take_all(scratch, chains, error, &dominators->parent, &dominators->depth));
    for (uint32_t i = 0; i < chains; i++) {
        uint32_t c = from_start ? i : chains - 1 - i;
        const uint32_t *first = order_lists_begin(lists, c), *end = order_lists_end(lists, c);
        bool is_end =
            from_start ? hierarchy_is_start(hierarchy->view, *order_lists_begin(&hierarchy->ops, c))
                       : hierarchy_is_end(hierarchy->view, order_lists_end(&hierarchy->ops, c)[-1]);
        uint32_t parent = is_end || first == end ? ORDER_NONE : *first;
        for (const uint32_t *other = first; other < end && parent != ORDER_NONE; other++)
            parent = meet(dominators, parent, *other);
        dominators->parent[c] = parent;
        dominators->depth[c] = parent == ORDER_NONE ? 1 : dominators->depth[parent] + 1;
    }
    return STATUS_OK;
}

enum { MOST_STEPS = 100000000, MOST_SETS = 100000 };

struct grouping {
    struct hierarchy *hierarchy;
    struct dominators from_start, from_end;
    uint32_t *member; /* [members] chains that were collected */
    uint32_t members;
    uint32_t *best; /* [best_count] the best set of members that was tried */
    uint32_t best_count;
    uint64_t best_bytes;
    bool *in;      /* [chains] scratch: it is in the set at hand */
    bool *reached; /* [chains] scratch */
    uint32_t *stack;
    uint64_t steps; /* so far */
    uint32_t sets;  /* tried for one Concat */
};

/* Collects, in ascending order, the chain and those that it dominates, as far as these are in no
   group yet and are reached from it through each other. */
static void collect(struct grouping *grouping, const struct dominators *dominators,
                    const struct order_lists *lists, uint32_t chain)
{
    const struct hierarchy *hierarchy = grouping->hierarchy;
    grouping->member[0] = chain;
    grouping->members = 1;
    grouping->in[chain] = true;
    for (uint32_t at = 0; at < grouping->members; at++)
        for (const uint32_t *c = order_lists_begin(lists, grouping->member[at]);
             c < order_lists_end(lists, grouping->member[at]); c++) {
            if (grouping->in[*c] || hierarchy->group_of[*c] != ORDER_NONE ||
                !dominators_has(dominators, chain, *c))
                continue;
            grouping->in[*c] = true;
            grouping->member[grouping->members++] = *c;
        }
    for (uint32_t i = 0; i < grouping->members; i++)
        grouping->in[grouping->member[i]] = false;
    qsort(grouping->member, grouping->members, sizeof(uint32_t), compare_number_items_32);
}

static void reach(struct grouping *grouping, uint32_t chain, uint32_t *height)
{
    if (!grouping->reached[chain]) {
        grouping->reached[chain] = true;
        grouping->stack[(*height)++] = chain;
    }
}

/* True if some chain outside waits for one of the members, and another member waits for that chain,
   both directly or through others: a group of the members would wait for itself. As a group runs as
   one, what reaches one of its chains reaches all of them. */
static bool waits_for_itself(struct grouping *grouping, const uint32_t *member, uint32_t members)
{
    const struct hierarchy *hierarchy = grouping->hierarchy;
    const struct order_lists *after = &hierarchy->after;
    uint32_t height = 0;
    bool found = false;
    for (uint32_t c = 0; c < hierarchy->chains; c++)
        grouping->reached[c] = false;
    grouping->steps += hierarchy->chains;
    for (uint32_t i = 0; i < members; i++)
        grouping->in[member[i]] = true;
    for (uint32_t i = 0; i < members; i++)
        for (uint32_t k = after->start[member[i]]; k < after->start[member[i] + 1]; k++)
            if (!grouping->in[after->item[k]])
                reach(grouping, after->item[k], &height);
    while (height && !found) {
        uint32_t chain = grouping->stack[--height];
        found = grouping->in[chain];
        for (uint32_t k = after->start[chain]; k < after->start[chain + 1]; k++)
            reach(grouping, after->item[k], &height);
        for (uint32_t c = hierarchy->ring[chain]; !grouping->reached[c]; c = hierarchy->ring[c])
            reach(grouping, c, &height);
        grouping->steps += order_lists_count(after, chain) + 1;
    }
    for (uint32_t i = 0; i < members; i++)
        grouping->in[member[i]] = false;
    return found;
}

static void make_group(struct grouping *grouping, const uint32_t *member, uint32_t members)
{
    struct hierarchy *hierarchy = grouping->hierarchy;
    if (members < 2 || waits_for_itself(grouping, member, members))
        return;
    for (uint32_t i = 0; i < members; i++) {
        hierarchy->group_of[member[i]] = hierarchy->groups;
        hierarchy->ring[member[i]] = member[(i + 1) % members];
    }
    hierarchy->groups++;
}

/* True if what the chain leaves is read outside the set at hand. */
static bool leads_out(const struct grouping *grouping, uint32_t chain)
{
    const struct hierarchy *hierarchy = grouping->hierarchy;
    const struct order_lists *after = &hierarchy->after;
    for (uint32_t i = after->start[chain]; i < after->start[chain + 1]; i++)
        if (!grouping->in[after->item[i]])
            return true;
    return hierarchy_is_end(hierarchy->view, order_lists_end(&hierarchy->ops, chain)[-1]);
}

/* Makes the set at hand the best one if it leaves fewer bytes, or as many and is larger. */
static void judge_set(struct grouping *grouping)
{
    const struct order_view *view = grouping->hierarchy->view;
    uint64_t bytes = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < grouping->members; i++) {
        uint32_t chain = grouping->member[i];
        count += grouping->in[chain];
        if (grouping->in[chain] && leads_out(grouping, chain))
            bytes += order_view_sum(view, &view->outputs,
                                    order_lists_end(&grouping->hierarchy->ops, chain)[-1]);
    }
    if (!bytes || bytes > grouping->best_bytes ||
        (bytes == grouping->best_bytes && count <= grouping->best_count))
        return;
    grouping->best_bytes = bytes;
    grouping->best_count = 0;
    for (uint32_t i = 0; i < grouping->members; i++)
        if (grouping->in[grouping->member[i]])
            grouping->best[grouping->best_count++] = grouping->member[i];
}

/* Judges every set of members that holds the first one and, with each member, all members that it
   waits for. A member is tried in the set and then outside it, the last ones first. */
static void try_sets(struct grouping *grouping)
{
    const struct order_lists *before = &grouping->hierarchy->before;
    const uint32_t *member = grouping->member;
    uint32_t at = 1;
    grouping->in[member[0]] = true;
    while (at > 0 && grouping->sets < MOST_SETS) {
        for (; at < grouping->members; at++) {
            uint32_t i = before->start[member[at]], end = before->start[member[at] + 1];
            while (i < end && grouping->in[before->item[i]])
                i++;
            grouping->in[member[at]] = i == end;
        }
        judge_set(grouping);
        grouping->sets++;
        while (at > 1 && !grouping->in[member[at - 1]])
            at--;
        if (at == 1)
            break;
        grouping->in[member[at - 1]] = false;
    }
    for (uint32_t i = 0; i < grouping->members; i++)
        grouping->in[member[i]] = false;
    grouping->steps += (uint64_t)grouping->sets * grouping->members;
}

static bool is_concat(const struct hierarchy *hierarchy, uint32_t chain)
{
    const struct graph *graph = hierarchy->view->graph;
    uint32_t op = *order_lists_begin(&hierarchy->ops, chain);
    return graph &&
           strncasecmp(graph_label(graph, graph->op[hierarchy->view->graph_operator[op]].type),
                       "concat", 6) == 0;
}

/* Makes the group that ends in a Concat, and the one behind it. The chains of the latter are chosen
   into best[] before the first group is made; none where something outside the chains that the
   Concat dominates reads it. */
static void group_cell(struct grouping *grouping, uint32_t chain)
{
    enum { TRIVIAL = 2 };
    collect(grouping, &grouping->from_start, &grouping->hierarchy->after, chain);
    for (uint32_t i = 0; i < grouping->members; i++)
        grouping->in[grouping->member[i]] = true;
    bool leads = leads_out(grouping, chain);
    for (uint32_t i = 0; i < grouping->members; i++)
        grouping->in[grouping->member[i]] = false;
    grouping->best_count = grouping->sets = 0;
    grouping->best_bytes = UINT64_MAX;
    if (!leads)
        try_sets(grouping);
    collect(grouping, &grouping->from_end, &grouping->hierarchy->before, chain);
    make_group(grouping, grouping->member, grouping->members);
    if (grouping->best_count > TRIVIAL)
        make_group(grouping, grouping->best + 1, grouping->best_count - 1);
}

enum status groups_make(struct hierarchy *hierarchy, struct scratch *scratch, struct error *error)
{
    struct grouping grouping = {.hierarchy = hierarchy};
    uint32_t **numbers[] = {&grouping.member, &grouping.best, &grouping.stack};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        TRY(scratch_take(scratch, numbers[i], hierarchy->chains, sizeof(uint32_t), error));
    TRY(scratch_take_all(scratch, hierarchy->chains, error, &grouping.in, &grouping.reached));
    TRY(dominators_create(hierarchy, true, &grouping.from_start, scratch, error));
    TRY(dominators_create(hierarchy, false, &grouping.from_end, scratch, error));
    for (uint32_t c = 0; c < hierarchy->chains && grouping.steps < MOST_STEPS; c++)
        if (hierarchy->group_of[c] == ORDER_NONE && is_concat(hierarchy, c))
            group_cell(&grouping, c);
    return STATUS_OK;
}
