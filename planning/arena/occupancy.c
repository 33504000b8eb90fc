#include "planning/arena/occupancy.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/clock.h"
#include "core/memory.h"
#include "planning/arena/interval_union.h"
#include "planning/arena/leaves.h"
#include "planning/arena/stream_lines.h"

struct occupancy {
    const struct problem *problem;
    struct occupancy_leaves leaves;
    struct timed_interval *entry;   /* [leaves.ends[leaves.count]] placed segments that begin or end
                                       inside a leaf, sorted by begin in each */
    uint32_t *entries;              /* [leaves] how many entries each has in use */
    uint64_t *most_bytes;           /* [leaves] the most bytes that one of its entries has */
    struct interval_union *through; /* [leaves] segments that live through the leaf */
    struct interval_union *touched; /* [2 * leaves] node i has nodes 2 i and 2 i + 1 below it, leaf
                                       l is node leaves + l: all segments that touch it */
    struct gap_source *source;      /* of the walk */
    struct timed_source *timed;     /* of the walk: two leaves for each segment of a buffer */
    uint32_t sources, timed_sources;
    struct stream_lines *lines; /* NULL unless they were joined */
    struct occupancy *on_lines; /* what is taken on them */
    struct scratch scratch;     /* of these arrays and of the leaves */
};

/* What a walk reads for a segment: the unions of two leaves, and of two nodes of each height. */
enum { MOST_SOURCES_OF_SEGMENT = 2 + 2 * 32 };

/* Makes room for walks over that many ranges; for_ranges: those of occupancy_walk_ranges. */
static enum status create_occupancy(const struct problem *problem, uint32_t ranges, bool for_ranges,
                                    struct occupancy **created, struct error *error)
{
    SCOPED(occupancy_release) struct occupancy *made = NULL;
    size_t sources = ((size_t)ranges + 1) * MOST_SOURCES_OF_SEGMENT;
    TRY(memory_create(&made, 1, sizeof *made, error));
    struct occupancy_leaves *leaves = &made->leaves;
    struct scratch *scratch = &made->scratch;
    made->problem = problem;
    TRY(occupancy_leaves_create(problem, for_ranges, leaves, scratch, error));
    uint32_t count = leaves->count;
    TRY(scratch_take(scratch, &made->entry, leaves->ends[count], sizeof *made->entry, error));
    TRY(scratch_take_all(scratch, count, error, &made->entries, &made->most_bytes, &made->through));
    TRY(scratch_take(scratch, &made->touched, 2 * (size_t)count, sizeof *made->touched, error));
    TRY(scratch_take(scratch, &made->source, sources, sizeof *made->source, error));
    TRY(scratch_take(scratch, &made->timed, 2 * ((size_t)ranges + 1), sizeof *made->timed, error));
    HAND_OVER(made, created);
}

enum status occupancy_create(const struct problem *problem, struct occupancy **occupancy,
                             struct error *error)
{
    uint32_t most = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem->first[b + 1] - problem->first[b] > most)
            most = problem->first[b + 1] - problem->first[b];
    return create_occupancy(problem, most, false, occupancy, error);
}

enum status occupancy_create_for_ranges(const struct problem *problem, uint32_t ranges,
                                        struct occupancy **occupancy, struct error *error)
{
    return create_occupancy(problem, ranges, true, occupancy, error);
}

void occupancy_free(struct occupancy *occupancy)
{
    if (!occupancy)
        return;
    for (uint32_t i = 0; occupancy->through && i < occupancy->leaves.count; i++)
        interval_union_free(&occupancy->through[i]);
    for (uint32_t i = 0; occupancy->touched && i < 2 * occupancy->leaves.count; i++)
        interval_union_free(&occupancy->touched[i]);
    scratch_free(&occupancy->scratch);
    memory_free(occupancy);
}

static void add_entry(struct occupancy *occupancy, uint32_t leaf, struct timed_interval added)
{
    struct timed_interval *entry = &occupancy->entry[occupancy->leaves.ends[leaf]];
    uint32_t count = occupancy->entries[leaf]++;
    uint32_t place = BINARY_SEARCH(at, 0, count, entry[at].begin > added.begin);
    assert(count < occupancy->leaves.ends[leaf + 1] - occupancy->leaves.ends[leaf]);
    assert(added.lower < added.upper && place <= count);
    memmove(&entry[place + 1], &entry[place], (count - place) * sizeof *entry);
    entry[place] = added;
    if (added.end - added.begin > occupancy->most_bytes[leaf])
        occupancy->most_bytes[leaf] = added.end - added.begin;
}

/* Adds the bytes to the nodes above the leaves, upwards until every node has them already: then the
   nodes further up have them too. */
static enum status touch_nodes(struct occupancy *occupancy, uint32_t first_leaf, uint32_t end_leaf,
                               struct interval added, struct error *error)
{
    uint32_t leaves = occupancy->leaves.count;
    uint32_t first = leaves + first_leaf, last = leaves + end_leaf - 1;
    bool any = true;
    assert(first_leaf < end_leaf && end_leaf <= leaves);
    for (; first && any; first /= 2, last /= 2) {
        any = false;
        for (uint32_t node = first; node <= last; node++) {
            bool changed;
            TRY(interval_union_add(&occupancy->touched[node], added, &changed, error));
            any |= changed;
        }
    }
    return STATUS_OK;
}

enum status occupancy_take(struct occupancy *occupancy, uint32_t buffer, uint64_t begin,
                           uint64_t end, struct error *error)
{
    const struct problem *problem = occupancy->problem;
    const struct occupancy_leaves *leaves = &occupancy->leaves;
    const struct interval added = {begin, end};
    assert(occupancy->leaves.count > 0);
    assert(buffer < problem->buffers && begin < end);
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++) {
        const struct timed_interval entry = {begin, end, problem->lower[s], problem->upper[s]};
        bool changed;
        for (uint32_t leaf = leaves->first[s]; leaf < leaves->end[s]; leaf++)
            if (!occupancy_leaves_lived_through(leaves, leaf, entry.lower, entry.upper))
                add_entry(occupancy, leaf, entry);
            else
                TRY(interval_union_add(&occupancy->through[leaf], added, &changed, error));
        TRY(touch_nodes(occupancy, leaves->first[s], leaves->end[s], added, error));
    }
    return occupancy->on_lines ? occupancy_take(occupancy->on_lines, buffer, begin, end, error)
                               : STATUS_OK;
}

static void add_union(struct occupancy *occupancy, const struct interval_union *set)
{
    assert(set->item || set->count == 0);
    if (set->count)
        occupancy->source[occupancy->sources++] = (struct gap_source){
            .next = set->item, .end = set->item + set->count, .is_disjoint = true};
}

/* Adds sources for the entries of the leaf that are live at the steps, and for what lives through
   it. */
static void add_leaf(struct occupancy *occupancy, uint32_t leaf, struct live_range steps)
{
    const struct timed_interval *entry = &occupancy->entry[occupancy->leaves.ends[leaf]];
    assert(leaf < occupancy->leaves.count && steps.lower < steps.upper);
    if (occupancy->entries[leaf])
        occupancy->timed[occupancy->timed_sources++] =
            (struct timed_source){.next = entry,
                                  .end = entry + occupancy->entries[leaf],
                                  .lower = steps.lower,
                                  .upper = steps.upper,
                                  .most_bytes = occupancy->most_bytes[leaf]};
    if (steps.is_complete)
        add_union(occupancy, &occupancy->through[leaf]);
}

/* Adds sources for what is taken at the steps, all of which are in the leaves first to end - 1: for
   the leaves in which they begin and end, and for those in between by the fewest nodes that have
   all of these below them. */
static void add_steps(struct occupancy *occupancy, struct live_range steps, uint32_t first,
                      uint32_t end)
{
    const struct occupancy_leaves *leaves = &occupancy->leaves;
    assert(first < end && end <= leaves->count);
    if (!occupancy_leaves_covered(leaves, first, steps.lower, steps.upper))
        add_leaf(occupancy, first++, steps);
    if (first < end && !occupancy_leaves_covered(leaves, end - 1, steps.lower, steps.upper))
        add_leaf(occupancy, --end, steps);
    assert(first <= end);
    for (first += leaves->count, end += leaves->count; first < end; first /= 2, end /= 2) {
        if (first & 1)
            add_union(occupancy, &occupancy->touched[first++]);
        if (end & 1)
            add_union(occupancy, &occupancy->touched[--end]);
    }
}

static void begin_walk(struct occupancy *occupancy, uint32_t buffer, struct gap_walk *walk)
{
    const struct problem *problem = occupancy->problem;
    assert(buffer < problem->buffers);
    occupancy->sources = occupancy->timed_sources = 0;
    *walk = (struct gap_walk){.source = occupancy->source,
                              .timed = occupancy->timed,
                              .size = problem->size[buffer],
                              .alignment = problem_alignment(problem, buffer)};
}

static void end_walk(const struct occupancy *occupancy, struct gap_walk *walk)
{
    walk->sources = occupancy->sources;
    walk->timed_sources = occupancy->timed_sources;
}

void occupancy_walk(struct occupancy *occupancy, uint32_t buffer, struct gap_walk *walk)
{
    const struct problem *problem = occupancy->problem;
    const struct occupancy_leaves *leaves = &occupancy->leaves;
    begin_walk(occupancy, buffer, walk);
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        add_steps(occupancy, (struct live_range){problem->lower[s], problem->upper[s], true},
                  leaves->first[s], leaves->end[s]);
    end_walk(occupancy, walk);
}

void occupancy_walk_ranges(struct occupancy *occupancy, uint32_t buffer,
                           const struct live_range *range, uint32_t ranges, struct gap_walk *walk)
{
    const struct occupancy_leaves *leaves = &occupancy->leaves;
    uint32_t begin = leaves->start[0], end = leaves->start[leaves->count];
    assert(begin < end && (!ranges || range));
    struct gap_walk other = *walk;
    begin_walk(occupancy, buffer, walk);
    for (; occupancy->sources < other.sources; occupancy->sources++)
        occupancy->source[occupancy->sources] = other.source[occupancy->sources];
    for (; occupancy->timed_sources < other.timed_sources; occupancy->timed_sources++)
        occupancy->timed[occupancy->timed_sources] = other.timed[occupancy->timed_sources];
    for (uint32_t i = 0; i < ranges;) {
        /* Ranges are joined as far as each begins where the one before ends: fewer nodes of the
           tree then have all that is taken in them. */
        struct live_range steps = range[i++];
        for (; i < ranges && range[i].lower == steps.upper && range[i].upper > range[i].lower;
             i++) {
            steps.upper = range[i].upper;
            steps.is_complete |= range[i].is_complete;
        }
        steps.lower = steps.lower > begin ? steps.lower : begin;
        steps.upper = steps.upper < end ? steps.upper : end;
        if (steps.lower < steps.upper)
            add_steps(occupancy, steps, occupancy_leaves_find(leaves, steps.lower),
                      occupancy_leaves_find(leaves, steps.upper - 1) + 1);
    }
    end_walk(occupancy, walk);
}

void occupancy_join_lines(struct occupancy *occupancy, struct stream_lines *lines,
                          struct occupancy *on_lines)
{
    assert(occupancy->problem == &lines->serial && on_lines->problem == &lines->line);
    occupancy->lines = lines;
    occupancy->on_lines = on_lines;
}

/* Gives the buffer the offset that the fit chooses and takes its bytes. */
static enum status place_buffer(struct occupancy *occupancy, const struct fit *fit, uint32_t buffer,
                                uint64_t *offset, struct error *error)
{
    const struct problem *problem =
        occupancy->lines ? occupancy->lines->problem : occupancy->problem;
    struct gap_walk walk;
    uint32_t ranges;
    occupancy_walk(occupancy, buffer, &walk);
    if (occupancy->lines) {
        const struct live_range *range = stream_lines_find_rest(occupancy->lines, buffer, &ranges);
        occupancy_walk_ranges(occupancy->on_lines, buffer, range, ranges, &walk);
    }
    if (!fit_choose(fit, &walk, offset))
        return error_set(error, STATUS_BAD_INPUT, "no place below 2^64 bytes for buffer '%s'",
                         names_get(&problem->names, buffer));
    assert(*offset % problem_alignment(problem, buffer) == 0);
    return occupancy_take(occupancy, buffer, *offset, *offset + problem->size[buffer], error);
}

enum { AHEAD = 1, PLACED_PER_LOOK = 1024 };

static void prefetch_bytes(const void *start, size_t bytes)
{
    enum { LINE = 64 };
    for (size_t at = 0; at < bytes; at += LINE)
        __builtin_prefetch((const char *)start + at);
}

void occupancy_prefetch(const struct occupancy *occupancy, uint32_t buffer)
{
    assert(occupancy->problem->first[buffer] < occupancy->problem->first[buffer + 1]);
    uint32_t segment = occupancy->problem->first[buffer];
    uint32_t first = occupancy->leaves.first[segment], last = occupancy->leaves.end[segment] - 1;
    assert(first <= last && last < occupancy->leaves.count);
    prefetch_bytes(&occupancy->entry[occupancy->leaves.ends[first]],
                   occupancy->entries[first] * sizeof *occupancy->entry);
    if (last != first)
        prefetch_bytes(&occupancy->entry[occupancy->leaves.ends[last]],
                       occupancy->entries[last] * sizeof *occupancy->entry);
}

static void clear(struct occupancy *occupancy)
{
    for (uint32_t i = 0; i < occupancy->leaves.count; i++) {
        occupancy->entries[i] = 0;
        occupancy->most_bytes[i] = 0;
        occupancy->through[i].count = 0;
    }
    for (uint32_t i = 0; i < 2 * occupancy->leaves.count; i++)
        occupancy->touched[i].count = 0;
}

enum status occupancy_begin(struct occupancy *occupancy, uint64_t *offset, struct error *error)
{
    const struct problem *problem = occupancy->problem;
    clear(occupancy);
    if (occupancy->on_lines)
        clear(occupancy->on_lines);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        offset[b] = problem_fixed_offset(problem, b);
        if (offset[b] != PROBLEM_FREE)
            TRY(occupancy_take(occupancy, b, offset[b], offset[b] + problem->size[b], error));
    }
    return STATUS_OK;
}

enum status occupancy_place_all(struct occupancy *occupancy, const struct occupancy_rule *rule,
                                uint64_t *offset, uint64_t *peak_bytes, struct error *error)
{
    const struct problem *problem = occupancy->problem;
    uint64_t peak = problem_fixed_end(problem);
    *peak_bytes = UINT64_MAX;
    TRY(occupancy_begin(occupancy, offset, error));
    for (uint32_t i = 0; i < problem->buffers && peak <= rule->most_bytes; i++) {
        uint32_t b = rule->sorted[i];
        /* The clock is looked at about once in a millisecond. */
        if (rule->deadline_ns && i % PLACED_PER_LOOK == PLACED_PER_LOOK - 1 &&
            !clock_left_ns(rule->deadline_ns))
            return STATUS_OK;
        assert(b < problem->buffers);
        if (i + AHEAD < problem->buffers)
            occupancy_prefetch(occupancy, rule->sorted[i + AHEAD]);
        if (offset[b] != PROBLEM_FREE)
            continue;
        TRY(place_buffer(occupancy, rule->fit, b, &offset[b], error));
        if (offset[b] + problem->size[b] > peak)
            peak = offset[b] + problem->size[b];
    }
    assert(peak >= problem_fixed_end(problem));
    if (peak <= rule->most_bytes)
        *peak_bytes = peak;
    return STATUS_OK;
}
