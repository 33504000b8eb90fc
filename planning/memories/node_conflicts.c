#include "planning/memories/node_conflicts.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "planning/problem/conflicts.h"

static uint64_t pair_key(uint32_t a, uint32_t b)
{
    assert(a != b);
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* What conflicts for other reasons than time: pairs of nodes as keys, ascending. */
struct pair_keys {
    uint64_t *key;
    size_t count, capacity;
};

static enum status add_key(struct pair_keys *keys, uint32_t a, uint32_t b, struct error *error)
{
    TRY(memory_reserve(&keys->key, &keys->capacity, keys->count + 1, sizeof *keys->key, error));
    keys->key[keys->count++] = pair_key(a, b);
    return STATUS_OK;
}

static void sort_keys(struct pair_keys *keys)
{
    size_t kept = 0;
    if (!keys->count)
        return;
    qsort(keys->key, keys->count, sizeof *keys->key, compare_number_items);
    for (size_t i = 0; i < keys->count; i++)
        if (!i || keys->key[i] != keys->key[i - 1])
            keys->key[kept++] = keys->key[i];
    keys->count = kept;
}

static bool has_key(const struct pair_keys *keys, uint32_t a, uint32_t b)
{
    uint64_t key = pair_key(a, b);
    return keys->count && bsearch(&key, keys->key, keys->count, sizeof key, compare_number_items);
}

/* Whether some members of two nodes are live at once and not excluded. */
static bool do_conflict_in_time(const struct node_conflicts *lists,
                                const struct pair_keys *excluded, uint32_t a, uint32_t b)
{
    const struct memory_classes *classes = lists->classes;
    assert(a != b);
    for (uint32_t i = classes->first[a]; i < classes->first[a + 1]; i++)
        for (uint32_t j = classes->first[b]; j < classes->first[b + 1]; j++)
            if (!has_key(excluded, classes->member[i], classes->member[j]) &&
                problem_conflicts_in_time(lists->problem->problem, classes->member[i],
                                          classes->member[j], UINT32_MAX))
                return true;
    return false;
}

static enum status list_separate(const struct node_conflicts *lists, struct pair_keys *keys,
                                 struct error *error)
{
    const struct memory_problem *problem = lists->problem;
    const uint32_t *of = lists->classes->of;
    for (uint32_t i = 0; i < problem->separations; i++)
        TRY(add_key(keys, of[problem->separation[i].first], of[problem->separation[i].second],
                    error));
    for (uint32_t p = 0; p < problem->pins; p++)
        for (uint32_t n = 0; n < lists->classes->count && problem->pin[p].exclusive; n++)
            if (n != of[problem->pin[p].buffer])
                TRY(add_key(keys, n, of[problem->pin[p].buffer], error));
    sort_keys(keys);
    return STATUS_OK;
}

/* Makes the lists of conflicts: those in time that no exclusion takes away, and the other pairs. */
static enum status merge_conflicts(struct node_conflicts *lists, const struct conflicts *in_time,
                                   const struct pair_keys *excluded, const struct pair_keys *apart,
                                   struct error *error)
{
    uint32_t nodes = lists->classes->count;
    SCOPED(memory_release) uint64_t *both = NULL; /* the pairs apart, in both directions */
    size_t at = 0;
    TRY(memory_create(&both, 2 * apart->count, sizeof *both, error));
    for (size_t i = 0; i < apart->count; i++) {
        both[2 * i] = apart->key[i];
        both[2 * i + 1] = apart->key[i] << 32 | apart->key[i] >> 32;
    }
    if (apart->count)
        qsort(both, 2 * apart->count, sizeof *both, compare_number_items);
    TRY(memory_create(&lists->first, (size_t)nodes + 1, sizeof(uint64_t), error));
    TRY(memory_create(&lists->other, in_time->first[nodes] + 2 * apart->count, sizeof(uint32_t),
                      error));
    for (uint32_t n = 0; n < nodes; n++) {
        uint64_t count = lists->first[n], i = in_time->first[n];
        while (i < in_time->first[n + 1] || (at < 2 * apart->count && both[at] >> 32 == n)) {
            bool from_apart = at < 2 * apart->count && both[at] >> 32 == n;
            uint32_t next = from_apart ? (uint32_t)both[at] : UINT32_MAX;
            if (i < in_time->first[n + 1] && in_time->other[i] <= next) {
                uint32_t other = in_time->other[i++];
                at += from_apart && other == next;
                if (other != next && lists->by_pairs &&
                    !do_conflict_in_time(lists, excluded, n, other))
                    continue;
                next = other;
            } else {
                at++;
                assert(next != n && next < nodes);
            }
            assert(count == lists->first[n] || lists->other[count - 1] < next);
            lists->other[count++] = next;
        }
        lists->first[n + 1] = count;
    }
    assert(at == 2 * apart->count);
    return STATUS_OK;
}

enum status node_conflicts_make(struct node_conflicts *lists, struct error *error)
{
    const struct memory_problem *problem = lists->problem;
    SCOPED(conflicts_release) struct conflicts *in_time = NULL;
    struct pair_keys excluded = {0}, apart = {0};
    enum status status = conflicts_create(lists->nodes, &in_time, error);
    for (uint32_t i = 0; i < problem->exclusions && !status; i++)
        status =
            add_key(&excluded, problem->exclusion[i].first, problem->exclusion[i].second, error);
    sort_keys(&excluded);
    lists->by_pairs = excluded.count > 0;
    if (!status)
        status = list_separate(lists, &apart, error);
    if (!status)
        status = merge_conflicts(lists, in_time, &excluded, &apart, error);
    memory_free_all(excluded.key, apart.key);
    return status;
}
