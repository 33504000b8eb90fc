#include "heuristics/ours/dive.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"

static bool is_movable(const struct dive *dive, uint32_t buffer)
{
    return dive->problem->fixed_offset[buffer] == PROBLEM_FREE;
}

static enum status list_sections(struct dive *dive, struct error *error)
{
    const struct sections *sections = dive->sections;
    uint32_t buffers = dive->problem->buffers;
    uint64_t members = sections->first[sections->count];
    TRY(memory_create(&dive->first, (size_t)buffers + 1, sizeof *dive->first, error));
    TRY(memory_create(&dive->section, members, sizeof *dive->section, error));
    for (uint64_t i = 0; i < members; i++)
        dive->first[sections->member[i] + 1]++;
    for (uint32_t b = 0; b < buffers; b++)
        dive->first[b + 1] += dive->first[b];
    for (uint32_t s = sections->count; s-- > 0;)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
            dive->section[--dive->first[sections->member[i] + 1]] = s;
    memmove(dive->first, dive->first + 1, buffers * sizeof *dive->first);
    dive->first[buffers] = members;
    return STATUS_OK;
}

static enum status create_state(struct dive *dive, struct error *error)
{
    uint32_t count = dive->sections->count, buffers = dive->problem->buffers;
    TRY(memory_create(&dive->lowest, buffers, sizeof *dive->lowest, error));
    TRY(memory_create(&dive->member, dive->sections->first[count] + buffers, sizeof *dive->member,
                      error));
    TRY(memory_create(&dive->placed, buffers, sizeof *dive->placed, error));
    TRY(memory_create(&dive->listed, (size_t)count + 1, sizeof *dive->listed, error));
    TRY(memory_create(&dive->bytes_left, count, sizeof *dive->bytes_left, error));
    TRY(memory_create(&dive->factor, count, sizeof *dive->factor, error));
    return memory_create(&dive->failures, count, sizeof *dive->failures, error);
}

static enum status fill_dive(struct dive *dive, bool *small, struct error *error)
{
    TRY(sections_create(dive->problem, &dive->sections, error));
    *small = dive->sections->first[dive->sections->count] <= DIVE_MOST_MEMBERS;
    if (!*small)
        return STATUS_OK;
    TRY(list_sections(dive, error));
    return create_state(dive, error);
}

enum status dive_create(const struct problem *problem, const struct conflicts *conflicts,
                        struct dive **created, struct error *error)
{
    struct dive *dive;
    bool small = false;
    *created = NULL;
    TRY(memory_create(&dive, 1, sizeof *dive, error));
    dive->problem = problem;
    dive->conflicts = conflicts;
    enum status status = fill_dive(dive, &small, error);
    if (status || !small)
        dive_free(dive);
    else
        *created = dive;
    return status;
}

void dive_free(struct dive *dive)
{
    if (!dive)
        return;
    sections_free(dive->sections);
    memory_free(dive->first);
    memory_free(dive->section);
    memory_free(dive->lowest);
    memory_free(dive->member);
    memory_free(dive->placed);
    memory_free(dive->listed);
    memory_free(dive->bytes_left);
    memory_free(dive->factor);
    memory_free(dive->failures);
    memory_free(dive);
}

static void list_members(struct dive *dive, uint32_t section)
{
    const struct sections *sections = dive->sections;
    uint32_t *member = &dive->member[sections->first[section]], listed = 0;
    uint64_t bytes = 0;
    for (uint64_t i = sections->first[section]; i < sections->first[section + 1]; i++) {
        uint32_t buffer = sections->member[i];
        if (!is_movable(dive, buffer))
            continue;
        member[listed++] = buffer;
        bytes += dive->problem->size[buffer];
    }
    dive->listed[section] = listed;
    dive->bytes_left[section] = bytes;
}

static uint32_t start_dive(struct dive *dive, enum dive_rule rule)
{
    uint32_t count = dive->sections->count, movables = 0;
    uint32_t *all = &dive->member[dive->sections->first[count]];
    double most = (double)dive->most_failures + 1;
    for (uint32_t b = 0; b < dive->problem->buffers; b++) {
        dive->lowest[b] = 0;
        dive->placed[b] = false;
        if (is_movable(dive, b))
            all[movables++] = b;
    }
    for (uint32_t s = 0; s < count; s++) {
        list_members(dive, s);
        dive->factor[s] = rule == DIVE_HARDEST ? 1 + (double)dive->failures[s] / most : 1;
    }
    return dive->listed[count] = movables;
}

/* Chooses the section to place a buffer of; the number of sections stands for no section, which is
   a list of all buffers. */
static uint32_t choose_section(const struct dive *dive, enum dive_rule rule)
{
    uint32_t count = dive->sections->count, chosen = 0;
    double most = -1;
    if (rule == DIVE_LOWEST)
        return count;
    for (uint32_t s = 0; s < count; s++) {
        double value = (double)dive->bytes_left[s] * dive->factor[s];
        chosen = value > most ? s : chosen;
        most = value > most ? value : most;
    }
    return chosen;
}

/* Buffers that were placed leave the list of a section only when it is read. */
static uint32_t drop_placed(struct dive *dive, uint32_t section)
{
    uint32_t *member = &dive->member[dive->sections->first[section]];
    uint32_t listed = dive->listed[section], left = 0;
    for (uint32_t i = 0; i < listed; i++) {
        member[left] = member[i];
        left += !dive->placed[member[i]];
    }
    return dive->listed[section] = left;
}

/* Chooses, of the buffers left in the section that can lie lowest, the one of least rank. */
static uint32_t choose_member(struct dive *dive, uint32_t section, const uint32_t *rank)
{
    const uint32_t *member = &dive->member[dive->sections->first[section]];
    uint32_t left = drop_placed(dive, section), chosen = member[0];
    assert(left > 0);
    for (uint32_t i = 1; i < left; i++) {
        uint32_t other = member[i];
        if (dive->lowest[other] < dive->lowest[chosen] ||
            (dive->lowest[other] == dive->lowest[chosen] && rank[other] < rank[chosen]))
            chosen = other;
    }
    return chosen;
}

/* What is left in its sections conflicts with it, so it lies above its end. False where a section
   can then no longer stay below the limit. */
static bool take_from_sections(struct dive *dive, uint32_t buffer, uint64_t end,
                               uint64_t limit_bytes)
{
    dive->placed[buffer] = true;
    for (uint64_t i = dive->first[buffer]; i < dive->first[buffer + 1]; i++) {
        uint32_t s = dive->section[i];
        assert(dive->bytes_left[s] >= dive->problem->size[buffer]);
        dive->bytes_left[s] -= dive->problem->size[buffer];
        if (end + dive->bytes_left[s] > limit_bytes) {
            dive->failed = s;
            return false;
        }
    }
    return true;
}

/* Raises the lowest offsets of all that conflicts with the buffer above its end. False where one
   would be beyond 2^64. */
static bool raise_conflicting(struct dive *dive, uint32_t buffer, uint64_t end)
{
    const struct conflicts *conflicts = dive->conflicts;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        if (dive->lowest[other] >= end)
            continue;
        if (dive->problem->alignment[other] == 1)
            dive->lowest[other] = end;
        else if (!checked_align(end, dive->problem->alignment[other], &dive->lowest[other]))
            return false;
    }
    return true;
}

static uint64_t fail(struct dive *dive)
{
    uint64_t failures = ++dive->failures[dive->failed];
    dive->most_failures = failures > dive->most_failures ? failures : dive->most_failures;
    return UINT64_MAX;
}

/* problem_finish has seen to it that no sum here is above 2^63, apart from alignments. */
uint64_t dive_order(struct dive *dive, enum dive_rule rule, const uint32_t *rank,
                    uint64_t limit_bytes, uint32_t *order)
{
    uint32_t movables = start_dive(dive, rule);
    uint64_t peak_bytes = 0;
    for (uint32_t i = 0; i < movables; i++) {
        uint32_t buffer = choose_member(dive, choose_section(dive, rule), rank);
        uint64_t end = dive->lowest[buffer] + dive->problem->size[buffer];
        if (!take_from_sections(dive, buffer, end, limit_bytes))
            return fail(dive);
        if (!raise_conflicting(dive, buffer, end))
            return UINT64_MAX;
        peak_bytes = end > peak_bytes ? end : peak_bytes;
        order[i] = buffer;
    }
    return peak_bytes;
}
