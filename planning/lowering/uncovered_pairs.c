#include "planning/lowering/uncovered_pairs.h"

#include <assert.h>

#include "core/memory.h"

void path_pairs_start(struct path_pairs *pairs, uint32_t tracks)
{
    assert(tracks <= PATH_MOST_TRACKS);
    pairs->pairs = pairs->left = pairs->entries = 0;
    pairs->tracks = tracks;
    for (uint32_t t = 0; t < tracks; t++)
        pairs->first[t] = PATH_PAIRS_END;
}

void path_pairs_free(struct path_pairs *pairs)
{
    memory_free(pairs->pair);
    memory_free(pairs->entry);
    *pairs = (struct path_pairs){0};
}

/* The first track of the set from `track` on, PATH_MOST_TRACKS for none. */
static uint32_t find_next(const struct path_track_set *set, uint32_t track)
{
    for (; track < PATH_MOST_TRACKS; track = (track / 64 + 1) * 64) {
        uint64_t rest = set->word[track / 64] >> track % 64;
        if (rest)
            return track + (uint32_t)__builtin_ctzll(rest);
    }
    return PATH_MOST_TRACKS;
}

static enum status append_entry(struct path_pairs *pairs, uint32_t track, struct error *error)
{
    uint32_t added = pairs->entries;
    assert(track < pairs->tracks && pairs->tracks <= PATH_MOST_TRACKS);
    TRY(memory_reserve(&pairs->entry, &pairs->entry_capacity, (size_t)added + 1,
                       sizeof *pairs->entry, error));
    pairs->entry[added] = (struct path_pair_entry){pairs->pairs, PATH_PAIRS_END};
    if (pairs->first[track] == PATH_PAIRS_END)
        pairs->first[track] = added;
    else
        pairs->entry[pairs->last[track]].next = added;
    pairs->last[track] = added;
    pairs->entries++;
    return STATUS_OK;
}

enum status path_pairs_add(struct path_pairs *pairs, uint32_t fresh, uint32_t other,
                           const struct path_track_set *common, struct error *error)
{
    assert(path_set_meet(common, common));
    TRY(memory_reserve(&pairs->pair, &pairs->pair_capacity, (size_t)pairs->pairs + 1,
                       sizeof *pairs->pair, error));
    for (uint32_t t = find_next(common, 0); t < pairs->tracks; t = find_next(common, t + 1))
        TRY(append_entry(pairs, t, error));
    pairs->pair[pairs->pairs++] = (struct path_pair){fresh, other, false};
    pairs->left++;
    assert(pairs->left <= pairs->pairs);
    return STATUS_OK;
}

void path_pairs_compact(struct path_pairs *pairs)
{
    uint32_t kept = 0;
    for (uint32_t p = 0; p < pairs->pairs; p++)
        if (!pairs->pair[p].covered)
            pairs->pair[kept++] = pairs->pair[p];
    assert(kept == pairs->left);
    pairs->pairs = pairs->left = kept;
}
