#include "heuristics/idealloc/live_jobs.h"

#include "core/memory.h"

/* A subtree and the places of its leaves. */
struct branch {
    uint32_t node, begin, end;
};

static struct branch get_child(struct branch branch, bool second)
{
    uint32_t middle = branch.begin + (branch.end - branch.begin) / 2;
    return second ? (struct branch){2 * branch.node + 1, middle, branch.end}
                  : (struct branch){2 * branch.node, branch.begin, middle};
}

static void update_node(struct boxing_alive *alive, uint32_t node)
{
    uint64_t first = alive->latest[2 * node], second = alive->latest[2 * node + 1];
    alive->latest[node] = first > second ? first : second;
    alive->left[node] = alive->left[2 * node] + alive->left[2 * node + 1];
}

enum status boxing_alive_create(const struct boxing *boxing, const uint32_t *list, uint32_t count,
                                struct boxing_alive *alive, struct error *error)
{
    uint32_t leaves = 1;
    while (leaves < count)
        leaves *= 2;
    *alive =
        (struct boxing_alive){.boxing = boxing, .list = list, .count = count, .leaves = leaves};
    TRY(memory_create(&alive->latest, 2 * (size_t)leaves, sizeof *alive->latest, error));
    enum status status =
        memory_create(&alive->left, 2 * (size_t)leaves, sizeof *alive->left, error);
    if (status) {
        boxing_alive_free(alive);
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        alive->latest[leaves + i] = boxing->job[list[i]].death;
        alive->left[leaves + i] = 1;
    }
    for (uint32_t node = leaves; --node;)
        update_node(alive, node);
    return STATUS_OK;
}

void boxing_alive_free(struct boxing_alive *alive)
{
    memory_free(alive->latest);
    memory_free(alive->left);
    *alive = (struct boxing_alive){0};
}

uint32_t boxing_alive_find_birth(const struct boxing_alive *alive, uint64_t time)
{
    uint32_t low = 0, high = alive->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (alive->boxing->job[alive->list[middle]].birth < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t count_before(const struct boxing_alive *alive, uint32_t end)
{
    uint32_t count = 0;
    struct branch branch = {1, 0, alive->leaves};
    if (end >= alive->count)
        return alive->left[1];
    while (branch.end - branch.begin > 1) {
        struct branch first = get_child(branch, false);
        bool second = end >= first.end;
        count += second ? alive->left[first.node] : 0;
        branch = get_child(branch, second);
    }
    return count;
}

uint32_t boxing_alive_count(const struct boxing_alive *alive, uint32_t begin, uint32_t end)
{
    return count_before(alive, end) - count_before(alive, begin);
}

uint32_t boxing_alive_find(const struct boxing_alive *alive, uint32_t begin, uint32_t index)
{
    struct branch branch = {1, 0, alive->leaves};
    index += count_before(alive, begin);
    while (branch.end - branch.begin > 1) {
        struct branch first = get_child(branch, false);
        bool second = index >= alive->left[first.node];
        index -= second ? alive->left[first.node] : 0;
        branch = get_child(branch, second);
    }
    return branch.begin;
}

/* Some job at places [begin, end) dies after the time. */
static bool any_dies_after(const struct boxing_alive *alive, struct branch branch, uint32_t begin,
                           uint32_t end, uint64_t time)
{
    if (branch.begin >= end || branch.end <= begin || alive->latest[branch.node] <= time)
        return false;
    if (branch.begin >= begin && branch.end <= end)
        return true;
    return any_dies_after(alive, get_child(branch, false), begin, end, time) ||
           any_dies_after(alive, get_child(branch, true), begin, end, time);
}

bool boxing_alive_any_at(const struct boxing_alive *alive, uint32_t begin, uint64_t time)
{
    return any_dies_after(alive, (struct branch){1, 0, alive->leaves}, begin,
                          boxing_alive_find_birth(alive, time), time);
}

static void take_after(struct boxing_alive *alive, struct branch branch, uint32_t begin,
                       uint32_t end, uint64_t time, struct boxing_list *taken)
{
    if (branch.begin >= end || branch.end <= begin || alive->latest[branch.node] <= time)
        return;
    if (branch.end - branch.begin == 1) {
        taken->job[taken->count++] = alive->list[branch.begin];
        alive->latest[branch.node] = alive->left[branch.node] = 0;
        return;
    }
    take_after(alive, get_child(branch, false), begin, end, time, taken);
    take_after(alive, get_child(branch, true), begin, end, time, taken);
    update_node(alive, branch.node);
}

void boxing_alive_take_at(struct boxing_alive *alive, uint32_t begin, uint64_t time,
                          struct boxing_list *taken)
{
    take_after(alive, (struct branch){1, 0, alive->leaves}, begin,
               boxing_alive_find_birth(alive, time), time, taken);
}
