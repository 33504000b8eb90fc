/* Several threads, each of which cuts a band of the memory, over the whole time, into buffers; now
   and then threads tell each other how far they have come. After OmniMalloc's benchmark of that
   name. Everything that is live at the beginning conflicts and fills the memory, so the capacity is
   the optimum, and the cuts are a plan that has it. */

#include <string.h>

#include "core/scratch.h"
#include "datasets/generate/distributions.h"
#include "datasets/generate/generate.h"

enum { BUFFERS, STREAMS, SYNCS, CAPACITY, STEPS };

static const struct generate_option options[] = {
    [BUFFERS] = {"buffers", 128, 1, 1000000, NULL, "number of buffers at most"},
    [STREAMS] = {"streams", 2, 2, GENERATE_MOST_STREAMS, NULL, "number of threads"},
    [SYNCS] = {"syncs", 16, 0, 1000000, NULL, "how often a thread tells another"},
    [CAPACITY] = {"capacity", 1 << 20, 1, 1ULL << 50, NULL, "bytes of all bands"},
    [STEPS] = {"steps", 1 << 20, 2, 1 << 30, NULL, "length of the time"},
};

/* The least sides of a buffer, as far as the band allows them, and how many of 100 cuts go across
   the memory where both directions are possible. */
enum { LEAST_BYTES = 1024, LEAST_STEPS = 1, MEMORY_PERCENT = 50 };

/* What a thread knows of the others from an instant on. */
struct heard {
    uint32_t instant, thread;
    uint32_t clock[GENERATE_MOST_STREAMS];
};

struct tile {
    uint32_t lower, upper;
    uint64_t bottom, top;
};

struct tiling {
    struct random_state random;
    uint32_t streams, syncs, steps;
    struct heard *heard; /* [syncs] in ascending order of their instants */
    struct tile *tile;   /* the tiles of one band */
    uint32_t tiles;
};

/* What a thread knows at a time: what it last heard of the others, and its own time. */
static void find_clock(const struct tiling *tiling, uint32_t heard, uint32_t thread, uint32_t time,
                       uint32_t *clock)
{
    memset(clock, 0, tiling->streams * sizeof *clock);
    while (heard > 0 &&
           (tiling->heard[heard - 1].thread != thread || tiling->heard[heard - 1].instant > time))
        heard--;
    if (heard > 0)
        memcpy(clock, tiling->heard[heard - 1].clock, tiling->streams * sizeof *clock);
    clock[thread] = time;
}

/* Draws different instants between the first step and the last, in ascending order, by drawing how
   many instants are skipped before each. */
static void draw_syncs(struct tiling *tiling)
{
    uint32_t left = tiling->syncs;
    for (uint32_t step = 1; left > 0; step++) {
        if (random_below(&tiling->random, tiling->steps - step) >= left)
            continue;
        uint32_t index = tiling->syncs - left--, sent[GENERATE_MOST_STREAMS];
        uint32_t sender = (uint32_t)random_below(&tiling->random, tiling->streams);
        uint32_t ahead = 1 + (uint32_t)random_below(&tiling->random, tiling->streams - 1);
        struct heard *heard = &tiling->heard[index];
        heard->instant = step;
        heard->thread = (sender + ahead) % tiling->streams;
        find_clock(tiling, index, sender, step, sent);
        find_clock(tiling, index, heard->thread, step, heard->clock);
        for (uint32_t s = 0; s < tiling->streams; s++)
            if (sent[s] > heard->clock[s])
                heard->clock[s] = sent[s];
    }
}

static bool can_cut_memory(const struct tile *tile)
{
    return tile->top - tile->bottom >= 2 * LEAST_BYTES;
}

static bool can_cut_time(const struct tile *tile)
{
    return tile->upper - tile->lower >= 2 * LEAST_STEPS;
}

static uint64_t measure(const struct tile *tile)
{
    bool can = can_cut_memory(tile) || can_cut_time(tile);
    uint64_t kibibytes = (tile->top - tile->bottom + LEAST_BYTES - 1) / LEAST_BYTES;
    return can ? kibibytes * (tile->upper - tile->lower) : 0;
}

/* Draws one of the tiles that can be cut, with a probability proportional to its area; `tiles`
   where none can be cut. */
static uint32_t draw_tile(struct tiling *tiling)
{
    uint64_t area = 0;
    for (uint32_t i = 0; i < tiling->tiles; i++)
        area += measure(&tiling->tile[i]);
    if (!area)
        return tiling->tiles;
    uint64_t at = random_below(&tiling->random, area);
    uint32_t tile = 0;
    while (at >= measure(&tiling->tile[tile]))
        at -= measure(&tiling->tile[tile++]);
    return tile;
}

static void cut_tile(struct tiling *tiling, struct tile *tile)
{
    struct tile *rest = &tiling->tile[tiling->tiles++];
    bool memory = can_cut_memory(tile);
    *rest = *tile;
    if (memory && can_cut_time(tile))
        memory = generate_happens(MEMORY_PERCENT, &tiling->random);
    if (memory) {
        uint64_t choices = tile->top - tile->bottom - 2 * LEAST_BYTES + 1;
        rest->bottom = tile->top =
            tile->bottom + LEAST_BYTES + random_below(&tiling->random, choices);
    } else {
        uint64_t choices = tile->upper - tile->lower - 2 * LEAST_STEPS + 1;
        rest->lower = tile->upper =
            tile->lower + LEAST_STEPS + (uint32_t)random_below(&tiling->random, choices);
    }
}

static enum status hand_out(const struct tiling *tiling, uint32_t thread,
                            const struct generate_sink *sink, struct error *error)
{
    uint32_t start[GENERATE_MOST_STREAMS], end[GENERATE_MOST_STREAMS];
    for (uint32_t i = 0; i < tiling->tiles; i++) {
        const struct tile *tile = &tiling->tile[i];
        find_clock(tiling, tiling->syncs, thread, tile->lower, start);
        find_clock(tiling, tiling->syncs, thread, tile->upper, end);
        const struct generate_buffer buffer = {.size = tile->top - tile->bottom,
                                               .offset = tile->bottom,
                                               .clock = {tiling->streams, start, end}};
        TRY(sink->add(sink->context, &buffer, error));
    }
    return STATUS_OK;
}

static enum status generate_tiling(const struct generate_settings *settings,
                                   const struct generate_sink *sink, struct error *error)
{
    const uint64_t *value = settings->value;
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct tiling tiling = {.random = random_seed(settings->seed),
                            .streams = (uint32_t)value[STREAMS],
                            .syncs = (uint32_t)value[SYNCS],
                            .steps = (uint32_t)value[STEPS]};
    uint64_t band = value[CAPACITY] / tiling.streams;
    if (value[BUFFERS] < value[STREAMS] || value[CAPACITY] < value[STREAMS])
        return error_set(error, STATUS_USAGE,
                         "found %llu buffers and a capacity of %llu, expected at least 1 for each "
                         "of the %llu streams",
                         (unsigned long long)value[BUFFERS], (unsigned long long)value[CAPACITY],
                         (unsigned long long)value[STREAMS]);
    if (value[SYNCS] >= value[STEPS])
        return error_set(error, STATUS_USAGE, "syncs is %llu, expected fewer than steps=%llu",
                         (unsigned long long)value[SYNCS], (unsigned long long)value[STEPS]);
    TRY(scratch_take(&scratch, &tiling.heard, tiling.syncs, sizeof *tiling.heard, error));
    TRY(scratch_take(&scratch, &tiling.tile, value[BUFFERS], sizeof *tiling.tile, error));
    draw_syncs(&tiling);
    for (uint32_t t = 0; t < tiling.streams; t++) {
        uint64_t most = value[BUFFERS] / tiling.streams + (t < value[BUFFERS] % tiling.streams);
        uint32_t drawn = 0;
        tiling.tiles = 1;
        tiling.tile[0] = (struct tile){0, tiling.steps, t * band, (t + 1) * band};
        while (tiling.tiles < most && (drawn = draw_tile(&tiling)) < tiling.tiles)
            cut_tile(&tiling, &tiling.tile[drawn]);
        TRY(hand_out(&tiling, t, sink, error));
    }
    return STATUS_OK;
}

const struct generate_kind generate_concurrent_tiling = {
    .name = "concurrent_tiling",
    .title = "a band of the memory for each of several threads, cut without waste; optimum known",
    GENERATE_OPTIONS(options),
    .problem = generate_tiling,
};
