#include "results/views/streams.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/rows.h"

#define POLICY_NAME(constant, name) name,
static const char *const names[STREAMS_COUNT] = {STREAMS_EACH(POLICY_NAME)};
#undef POLICY_NAME

static const char option[] = "streams=";

const char *streams_policy(uint32_t policy)
{
    assert(policy < STREAMS_COUNT);
    return names[policy];
}

/* The option in the name of an instance that gives the number of streams; NULL for none. */
static const char *find_option(const char *instance)
{
    const char *found = strchr(instance, '?');
    for (; found; found = strchr(found, '&'))
        if (strncmp(++found, option, strlen(option)) == 0)
            return found;
    return NULL;
}

uint32_t streams_count(const char *instance)
{
    const char *found = find_option(instance);
    return found ? (uint32_t)strtoul(found + strlen(option), NULL, 10) : 0;
}

/* Whether the instance is `name` without that option. */
static bool is_on_one_stream(const char *instance, const char *name)
{
    const char *found = find_option(name), *behind = found ? strchr(found, '&') : NULL;
    if (!found)
        return false;
    size_t before = (size_t)(found - name) - (behind ? 0 : 1);
    return strncmp(instance, name, before) == 0 &&
           strcmp(instance + before, behind ? behind + 1 : "") == 0;
}

static uint64_t find_one(const struct result_set *set, const char *name)
{
    uint64_t least = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        if (is_on_one_stream(row->instance, name) && query_worth(row) == RESULT_NUMBER &&
            !*row->options && (!least || row->peak_bytes < least))
            least = row->peak_bytes;
    }
    return least;
}

static bool is_better(const struct result_row *row, const struct result_row *best)
{
    enum result_worth worth = query_worth(row);
    if (worth == RESULT_NO_PLAN || row->split_buffers)
        return false;
    if (!best || worth != query_worth(best))
        return !best || worth == RESULT_NUMBER;
    if (row->peak_bytes != best->peak_bytes)
        return row->peak_bytes < best->peak_bytes;
    return row->critical_path < best->critical_path;
}

uint32_t streams_find(const struct result_set *set, uint32_t first, struct stream_facts *facts)
{
    const char *name = set->row[first].instance;
    uint32_t i = first;
    assert(first < set->count);
    *facts = (struct stream_facts){.one_bytes = 0};
    for (; i < set->count && strcmp(set->row[i].instance, name) == 0; i++) {
        uint32_t policy = rows_find(set->row[i].policy, STREAMS_COUNT, streams_policy);
        if (policy == STREAMS_COUNT || *set->row[i].options)
            continue;
        if (set->bound_bytes[i] > facts->bound_bytes[policy])
            facts->bound_bytes[policy] = set->bound_bytes[i];
        if (is_better(&set->row[i], facts->best[policy]))
            facts->best[policy] = &set->row[i];
    }
    if (facts->best[STREAMS_STREAMS])
        facts->one_bytes = find_one(set, name);
    return i;
}

bool streams_is_wanted(const struct stream_facts *facts)
{
    const struct result_row *row = facts->best[STREAMS_STREAMS];
    return row && query_worth(row) == RESULT_NUMBER && row->peak_bytes && row->critical_path;
}

bool streams_compare(const struct stream_facts *facts, unsigned policy, struct stream_ratio *ratio)
{
    const struct result_row *row = facts->best[policy], *base = facts->best[STREAMS_STREAMS];
    if (!row || !streams_is_wanted(facts))
        return false;
    *ratio = (struct stream_ratio){
        .bytes = (double)row->peak_bytes / (double)base->peak_bytes,
        .time = (double)row->critical_path / (double)base->critical_path,
        .refused = query_worth(row) == RESULT_INVALID,
        .proved = row->peak_bytes == facts->bound_bytes[policy],
    };
    return row->critical_path > 0;
}
