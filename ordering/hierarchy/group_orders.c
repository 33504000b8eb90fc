#include "ordering/hierarchy/group_orders.h"

#include "core/memory.h"
#include "core/random.h"

/* Lists a chain behind all chains of its group that it waits for, which are listed likewise, from
   left to right. stack[chains] and at[chains] are scratch; at says for each chain on the stack
   which of the chains that it waits for is next. */
static enum status walk_back(struct group_orders *orders, uint32_t chain, bool *seen,
                             uint32_t *stack, uint32_t *at, struct error *error)
{
    const struct hierarchy *hierarchy = orders->hierarchy;
    const struct order_lists *before = &hierarchy->before;
    uint32_t height = 1;
    if (seen[chain])
        return STATUS_OK;
    seen[chain] = true;
    stack[0] = chain;
    at[0] = before->start[chain];
    while (height) {
        uint32_t top = stack[height - 1];
        if (at[height - 1] == before->start[top + 1]) {
            TRY(order_lists_add(&orders->chains, top, error));
            height--;
            continue;
        }
        uint32_t next = before->item[at[height - 1]++];
        if (seen[next] || hierarchy->group_of[next] != hierarchy->group_of[chain])
            continue;
        seen[next] = true;
        stack[height] = next;
        at[height++] = before->start[next];
    }
    return STATUS_OK;
}

/* Lists the chains of each group, by walking back from those that no other chain of the group waits
   for. */
static enum status list_chains(struct group_orders *orders, struct error *error)
{
    const struct hierarchy *hierarchy = orders->hierarchy;
    const struct order_lists *after = &hierarchy->after;
    uint32_t *stack, *at, *first, chains = hierarchy->chains;
    SCOPED(scratch_free) struct scratch scratch = {0};
    bool *seen;
    TRY(scratch_take_all(&scratch, chains, error, &stack, &at, &seen));
    TRY(scratch_take(&scratch, &first, hierarchy->groups, sizeof *first, error));
    for (uint32_t c = chains; c-- > 0;)
        if (hierarchy->group_of[c] != ORDER_NONE)
            first[hierarchy->group_of[c]] = c;
    for (uint32_t g = 0; g < hierarchy->groups; g++) {
        uint32_t chain = first[g];
        do {
            uint32_t i = after->start[chain], end = after->start[chain + 1];
            while (i < end && hierarchy->group_of[after->item[i]] != g)
                i++;
            if (i == end)
                TRY(walk_back(orders, chain, seen, stack, at, error));
            chain = hierarchy->ring[chain];
        } while (chain != first[g]);
        TRY(order_lists_close_row(&orders->chains, error));
    }
    return STATUS_OK;
}

/* Lists what an operator of the group reads from outside, and counts the readers. */
static enum status list_inputs(struct group_orders *orders, uint32_t op, uint32_t group,
                               uint32_t *count, struct error *error)
{
    const struct hierarchy *hierarchy = orders->hierarchy;
    const struct order_lists *inputs = &hierarchy->view->inputs;
    for (uint32_t i = inputs->start[op]; i < inputs->start[op + 1]; i++) {
        uint32_t t = inputs->item[i], producer = hierarchy->view->producer[t];
        if (producer != ORDER_NONE && hierarchy->group_of[hierarchy->chain_of[producer]] == group)
            continue;
        if (!count[t]++)
            TRY(order_lists_add(&orders->inputs, t, error));
    }
    return STATUS_OK;
}

enum status group_orders_create(const struct hierarchy *hierarchy, struct group_orders *orders,
                                struct error *error)
{
    const struct order_lists *ops = &hierarchy->ops, *chains = &orders->chains;
    struct order_lists *inputs = &orders->inputs;
    SCOPED(memory_release) uint32_t *count = NULL; /* [tensors] readers in the group at hand */
    *orders = (struct group_orders){.hierarchy = hierarchy};
    TRY(list_chains(orders, error));
    TRY(memory_create(&count, hierarchy->view->tensors, sizeof *count, error));
    for (uint32_t g = 0; g < hierarchy->groups; g++) {
        for (uint32_t c = chains->start[g]; c < chains->start[g + 1]; c++)
            for (uint32_t i = ops->start[chains->item[c]]; i < ops->start[chains->item[c] + 1]; i++)
                TRY(list_inputs(orders, ops->item[i], g, count, error));
        TRY(order_lists_close_row(inputs, error));
        TRY(memory_reserve(&orders->reads, &orders->reads_capacity, inputs->start[g + 1],
                           sizeof *orders->reads, error));
        for (uint32_t i = inputs->start[g]; i < inputs->start[g + 1]; i++) {
            orders->reads[i] = count[inputs->item[i]];
            count[inputs->item[i]] = 0;
        }
    }
    return STATUS_OK;
}

void group_orders_free(struct group_orders *orders)
{
    order_lists_free(&orders->chains);
    order_lists_free(&orders->inputs);
    order_lists_free(&orders->orders);
    memory_free_all(orders->reads, orders->key);
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
