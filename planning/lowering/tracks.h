#ifndef MEMPLAN_PLANNING_LOWERING_TRACKS_H
#define MEMPLAN_PLANNING_LOWERING_TRACKS_H

#include "planning/liveness/path_liveness.h"

/* A few ways through the branches of a graph, such that any two pieces that are live at one step
   under conditions that do not exclude each other are live together on one of these tracks.

       if 1 -> r      then a, else b       track   0    1    2    3
       if 2 -> s      then c, else d       if 1    a    b    a    b
       dense reads r, s                    if 2    c    d    d    c

   Two results of two branches each need four tracks, m of them about the logarithm of m: a covering
   array of strength two, grown one operator after another (Lei and Tai, "In-parameter-order: a test
   generation strategy for pairwise testing", 1998). On a track no branch is chosen where none is
   needed. */

enum { PATH_MOST_TRACKS = 256, PATH_TRACK_WORDS = PATH_MOST_TRACKS / 64 };

struct path_track_set {
    uint64_t word[PATH_TRACK_WORDS];
};

struct path_tracks {
    uint32_t tracks;                  /* at least 1 */
    struct path_track_set *condition; /* [conditions] tracks on which it holds */
};

/* `bytes` of the tensors; track 0 follows the heaviest branches. Where PATH_MOST_TRACKS are not
   enough, conditions left over are taken to hold on all tracks, which is safe. O(pieces + new pairs
   of conditions * tracks). Leaves *tracks fit for path_tracks_free where it fails. */
enum status path_tracks_create(struct path_tracks *tracks, const struct graph *graph,
                               const struct path_liveness *paths, struct error *error);
void path_tracks_free(struct path_tracks *tracks);

static inline struct path_track_set path_set_all(void)
{
    struct path_track_set all;
    for (int w = 0; w < PATH_TRACK_WORDS; w++)
        all.word[w] = UINT64_MAX;
    return all;
}

static inline bool path_set_has(const struct path_track_set *set, uint32_t track)
{
    return set->word[track / 64] >> track % 64 & 1;
}

static inline void path_set_add(struct path_track_set *set, uint32_t track)
{
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

/* Conditions under which something is live, as a sweep over the steps goes on. */
struct path_sweep {
    const struct path_liveness *paths;
    uint32_t *by_lower, *by_upper; /* [pieces] of those under a condition */
    uint32_t pieces, started, ended;
    uint32_t *active; /* [actives] conditions */
    uint32_t active_count;
    uint32_t *position; /* [conditions] in active */
    uint32_t *live;     /* [conditions] its live pieces; active while there are any */
};

/* Leaves *sweep fit for path_sweep_free where it fails. O(pieces). */
enum status path_sweep_create(struct path_sweep *sweep, const struct path_liveness *paths,
                              struct error *error);
void path_sweep_free(struct path_sweep *sweep);
/* The next step at which pieces start or end; GRAPH_NONE at the end. */
uint32_t path_sweep_next(const struct path_sweep *sweep);
/* Ends and starts what does so at this step. Conditions that become active come last in `active`;
   how many there are is returned. */
uint32_t path_sweep_go(struct path_sweep *sweep, uint32_t step);

#endif
