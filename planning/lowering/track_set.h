#ifndef MEMPLAN_PLANNING_LOWERING_TRACK_SET_H
#define MEMPLAN_PLANNING_LOWERING_TRACK_SET_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* Sets of tracks, as bits. */

enum { PATH_MOST_TRACKS = 256, PATH_TRACK_WORDS = PATH_MOST_TRACKS / 64 };

struct path_track_set {
    uint64_t word[PATH_TRACK_WORDS];
};

static inline struct path_track_set path_set_all(void)
{
    struct path_track_set all;
    for (int w = 0; w < PATH_TRACK_WORDS; w++)
        all.word[w] = UINT64_MAX;
    return all;
}

static inline bool path_set_has(const struct path_track_set *set, uint32_t track)
{
    assert(track < PATH_MOST_TRACKS);
    return set->word[track / 64] >> track % 64 & 1;
}

static inline void path_set_add(struct path_track_set *set, uint32_t track)
{
    assert(track < PATH_MOST_TRACKS);
    set->word[track / 64] |= UINT64_C(1) << track % 64;
}

static inline void path_set_intersect(struct path_track_set *set,
                                      const struct path_track_set *other)
{
    for (int w = 0; w < PATH_TRACK_WORDS; w++)
        set->word[w] &= other->word[w];
}

static inline bool path_set_meet(const struct path_track_set *a, const struct path_track_set *b)
{
    uint64_t common = 0;
    for (int w = 0; w < PATH_TRACK_WORDS; w++)
        common |= a->word[w] & b->word[w];
    return common;
}

/* The first track of the set from `track` on, PATH_MOST_TRACKS for none. */
static inline uint32_t path_set_next(const struct path_track_set *set, uint32_t track)
{
    for (; track < PATH_MOST_TRACKS; track = (track / 64 + 1) * 64) {
        uint64_t rest = set->word[track / 64] >> track % 64;
        if (rest)
            return track + (uint32_t)__builtin_ctzll(rest);
    }
    return PATH_MOST_TRACKS;
}

#endif
