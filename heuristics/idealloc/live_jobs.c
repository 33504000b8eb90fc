#include "heuristics/idealloc/live_jobs.h"

#include <assert.h>

#include "core/binary_search.h"

/* A node of the tree, and the positions [begin, end) of the leaves below it. */
struct branch {
    uint32_t node, begin, end;
};

static struct branch get_child(struct branch branch, bool second)
{
    uint32_t middle = branch.begin + (branch.end - branch.begin) / 2;
    return second ? (struct branch){2 * branch.node + 1, middle, branch.end}
                  : (struct branch){2 * branch.node, branch.begin, middle};
}

static void update_node(struct live_jobs *jobs, uint32_t node)
{
    uint64_t first = jobs->latest[2 * node], second = jobs->latest[2 * node + 1];
    jobs->latest[node] = first > second ? first : second;
    jobs->left[node] = jobs->left[2 * node] + jobs->left[2 * node + 1];
}

enum status live_jobs_create(const struct boxing *boxing, struct boxing_list list,
                             struct live_jobs *jobs, struct scratch *scratch, struct error *error)
{
    uint32_t leaves = 1;
    while (leaves < list.count)
        leaves *= 2;
    *jobs = (struct live_jobs){
        .boxing = boxing, .list = list.job, .count = list.count, .leaves = leaves};
    TRY(scratch_take_all(scratch, 2 * (size_t)leaves, error, &jobs->latest, &jobs->left));
    for (uint32_t i = 0; i < list.count; i++) {
        jobs->latest[leaves + i] = boxing->job[list.job[i]].death;
        jobs->left[leaves + i] = 1;
    }
    for (uint32_t node = leaves; --node;)
        update_node(jobs, node);
    return STATUS_OK;
}

uint32_t live_jobs_find_birth(const struct live_jobs *jobs, uint64_t time)
{
    return BINARY_SEARCH(at, 0, jobs->count, jobs->boxing->job[jobs->list[at]].birth >= time);
}

static uint32_t count_before(const struct live_jobs *jobs, uint32_t end)
{
    uint32_t count = 0;
    struct branch branch = {1, 0, jobs->leaves};
    if (end >= jobs->count)
        return jobs->left[1];
    while (branch.end - branch.begin > 1) {
        struct branch first = get_child(branch, false);
        bool second = end >= first.end;
        count += second ? jobs->left[first.node] : 0;
        branch = get_child(branch, second);
    }
    return count;
}

uint32_t live_jobs_count(const struct live_jobs *jobs, uint32_t begin, uint32_t end)
{
    return count_before(jobs, end) - count_before(jobs, begin);
}

uint32_t live_jobs_find(const struct live_jobs *jobs, uint32_t begin, uint32_t index)
{
    struct branch branch = {1, 0, jobs->leaves};
    assert(index < live_jobs_count(jobs, begin, jobs->count));
    index += count_before(jobs, begin);
    while (branch.end - branch.begin > 1) {
        struct branch first = get_child(branch, false);
        bool second = index >= jobs->left[first.node];
        index -= second ? jobs->left[first.node] : 0;
        branch = get_child(branch, second);
    }
    return branch.begin;
}

/* Whether a job at positions [begin, end) below a node dies after the time. */
static bool any_dies_after(const struct live_jobs *jobs, struct branch branch, uint32_t begin,
                           uint32_t end, uint64_t time)
{
    if (branch.begin >= end || branch.end <= begin || jobs->latest[branch.node] <= time)
        return false;
    if (branch.begin >= begin && branch.end <= end)
        return true;
    return any_dies_after(jobs, get_child(branch, false), begin, end, time) ||
           any_dies_after(jobs, get_child(branch, true), begin, end, time);
}

/* The jobs that are live at a time are born before it, and so end where later births begin, and die
   after it. */
bool live_jobs_any_at(const struct live_jobs *jobs, uint32_t begin, uint64_t time)
{
    return any_dies_after(jobs, (struct branch){1, 0, jobs->leaves}, begin,
                          live_jobs_find_birth(jobs, time), time);
}

static void take_after(struct live_jobs *jobs, struct branch branch, uint32_t begin, uint32_t end,
                       uint64_t time, struct boxing_list *taken)
{
    if (branch.begin >= end || branch.end <= begin || jobs->latest[branch.node] <= time)
        return;
    if (branch.end - branch.begin == 1) {
        taken->job[taken->count++] = jobs->list[branch.begin];
        jobs->latest[branch.node] = jobs->left[branch.node] = 0;
        return;
    }
    take_after(jobs, get_child(branch, false), begin, end, time, taken);
    take_after(jobs, get_child(branch, true), begin, end, time, taken);
    update_node(jobs, branch.node);
}

void live_jobs_take_at(struct live_jobs *jobs, uint32_t begin, uint64_t time,
                       struct boxing_list *taken)
{
    take_after(jobs, (struct branch){1, 0, jobs->leaves}, begin, live_jobs_find_birth(jobs, time),
               time, taken);
}
