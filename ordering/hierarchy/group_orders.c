#include "ordering/hierarchy/group_orders.h"

#include "core/memory.h"
#include "core/random.h"

/* What is known while the groups are listed. */
struct listing {
    struct group_orders *orders;
    bool *seen;      /* [chains] */
    uint32_t *stack; /* [chains] */
    uint32_t *at;    /* [chains] for each on the stack, which chain it waits for comes next */
    uint32_t *count; /* [tensors] readers in the group at hand */
    struct error *error;
};

/* Lists a chain behind all chains of its group that it waits for, and these likewise, from left to
   right. */
static enum status walk_back(struct listing *listing, uint32_t chain)
{
    const struct hierarchy *hierarchy = listing->orders->hierarchy;
    const struct order_lists *before = &hierarchy->before;
    uint32_t height = 1;
    if (listing->seen[chain])
        return STATUS_OK;
    listing->seen[chain] = true;
    listing->stack[0] = chain;
    listing->at[0] = before->start[chain];
    while (height) {
        uint32_t top = listing->stack[height - 1];
        if (listing->at[height - 1] == before->start[top + 1]) {
            TRY(order_lists_add(&listing->orders->chains, top, listing->error));
            height--;
            continue;
        }
        uint32_t next = before->item[listing->at[height - 1]++];
        if (listing->seen[next] || hierarchy->group_of[next] != hierarchy->group_of[chain])
            continue;
        listing->seen[next] = true;
        listing->stack[height] = next;
        listing->at[height++] = before->start[next];
    }
    return STATUS_OK;
}

static bool is_last(const struct hierarchy *hierarchy, uint32_t chain)
{
    for (const uint32_t *c = order_lists_begin(&hierarchy->after, chain);
         c < order_lists_end(&hierarchy->after, chain); c++)
        if (hierarchy->group_of[*c] == hierarchy->group_of[chain])
            return false;
    return true;
}

static enum status list_inputs(struct listing *listing, uint32_t op, uint32_t group)
{
    struct group_orders *orders = listing->orders;
    const struct hierarchy *hierarchy = orders->hierarchy;
    const struct order_lists *inputs = &hierarchy->view->inputs;
    for (const uint32_t *t = order_lists_begin(inputs, op); t < order_lists_end(inputs, op); t++) {
        uint32_t producer = hierarchy->view->producer[*t];
        if (producer != ORDER_NONE && hierarchy->group_of[hierarchy->chain_of[producer]] == group)
            continue;
        if (!listing->count[*t]++)
            TRY(order_lists_add(&orders->inputs, *t, listing->error));
    }
    return STATUS_OK;
}

static enum status close_group(struct listing *listing, uint32_t group)
{
    struct group_orders *orders = listing->orders;
    const struct order_lists *ops = &orders->hierarchy->ops;
    TRY(order_lists_close_row(&orders->chains, listing->error));
    for (const uint32_t *c = order_lists_begin(&orders->chains, group);
         c < order_lists_end(&orders->chains, group); c++)
        for (const uint32_t *op = order_lists_begin(ops, *c); op < order_lists_end(ops, *c); op++)
            TRY(list_inputs(listing, *op, group));
    TRY(order_lists_close_row(&orders->inputs, listing->error));
    uint32_t end = orders->inputs.start[group + 1];
    TRY(memory_reserve(&orders->reads, &orders->reads_capacity, end, sizeof *orders->reads,
                       listing->error));
    for (uint32_t i = orders->inputs.start[group]; i < end; i++) {
        orders->reads[i] = listing->count[orders->inputs.item[i]];
        listing->count[orders->inputs.item[i]] = 0;
    }
    return STATUS_OK;
}

/* Lists the chains and the inputs of each group; first[groups] is one chain of each. */
static enum status list_groups(struct listing *listing, const uint32_t *first)
{
    const struct hierarchy *hierarchy = listing->orders->hierarchy;
    for (uint32_t g = 0; g < hierarchy->groups; g++) {
        uint32_t chain = first[g];
        do {
            if (is_last(hierarchy, chain))
                TRY(walk_back(listing, chain));
            chain = hierarchy->ring[chain];
        } while (chain != first[g]);
        TRY(close_group(listing, g));
    }
    return STATUS_OK;
}

enum status group_orders_create(const struct hierarchy *hierarchy, struct group_orders *orders,
                                struct error *error)
{
    struct listing listing = {.orders = orders, .error = error};
    struct scratch scratch = {0};
    uint32_t **numbers[] = {&listing.stack, &listing.at}, *first, chains = hierarchy->chains;
    enum status status;
    *orders = (struct group_orders){.hierarchy = hierarchy};
    for (int i = 0; i < 2; i++)
        TRY_OR_DONE(status, scratch_take(&scratch, numbers[i], chains, sizeof(uint32_t), error));
    TRY_OR_DONE(status, scratch_take(&scratch, &listing.seen, chains, sizeof(bool), error));
    TRY_OR_DONE(status, scratch_take(&scratch, &listing.count, hierarchy->view->tensors,
                                     sizeof(uint32_t), error));
    TRY_OR_DONE(status, scratch_take(&scratch, &first, hierarchy->groups, sizeof(uint32_t), error));
    for (uint32_t c = chains; c-- > 0;)
        if (hierarchy->group_of[c] != ORDER_NONE)
            first[hierarchy->group_of[c]] = c;
    status = list_groups(&listing, first);
done:
    scratch_free(&scratch);
    return status;
}

void group_orders_free(struct group_orders *orders)
{
    order_lists_free(&orders->chains);
    order_lists_free(&orders->inputs);
    order_lists_free(&orders->orders);
    memory_free(orders->reads);
    memory_free(orders->key);
}

uint64_t group_orders_bytes(const struct group_orders *orders)
{
    uint64_t ops = orders->count ? orders->orders.start[orders->count] : 0;
    return orders->count * sizeof *orders->key + ops * sizeof(uint32_t);
}

const uint32_t *group_orders_chains(const struct group_orders *orders, uint32_t group)
{
    return order_lists_begin(&orders->chains, group);
}

uint32_t group_orders_count(const struct group_orders *orders, uint32_t group)
{
    return order_lists_count(&orders->chains, group);
}

struct group_key group_orders_key(const struct group_orders *orders, uint32_t group,
                                  const struct order_run *run)
{
    struct group_key key = {0, group};
    for (uint32_t i = orders->inputs.start[group]; i < orders->inputs.start[group + 1]; i++)
        if (run->unread[orders->inputs.item[i]] == orders->reads[i])
            key.dying ^= random_mix(orders->inputs.item[i]);
    return key;
}

bool group_orders_find(const struct group_orders *orders, const struct group_key *key,
                       struct group_order *found)
{
    for (uint32_t i = 0; i < orders->count; i++)
        if (orders->key[i].group == key->group && orders->key[i].dying == key->dying) {
            *found = (struct group_order){order_lists_begin(&orders->orders, i),
                                          order_lists_count(&orders->orders, i)};
            return true;
        }
    return false;
}

enum status group_orders_keep(struct group_orders *orders, const struct group_key *key,
                              const uint32_t *op, uint32_t ops, struct error *error)
{
    TRY(memory_reserve(&orders->key, &orders->key_capacity, (size_t)orders->count + 1,
                       sizeof *orders->key, error));
    for (uint32_t i = 0; i < ops; i++)
        TRY(order_lists_add(&orders->orders, op[i], error));
    TRY(order_lists_close_row(&orders->orders, error));
    orders->key[orders->count++] = *key;
    return STATUS_OK;
}
