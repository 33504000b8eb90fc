#include "datasets/generate/generate.h"

/* Problems that a named heuristic plans badly although a plan at the load is known. Two families,
   each growing with `level`; nothing is random, the seed changes nothing.

   Holes, against placing in order of birth (Robson, "Bounds for some functions concerning dynamic
   storage allocation", J. ACM 21, 1974, with the lifetimes known beforehand). With 4^level units,
   phase 0 fills the arena with buffers of one unit. Phase i ends all but the last 2^j units of each
   2^i in what phase j made; this frees half of the load in holes below 2^i units, and half of the
   load is born in buffers of 2^i units, which fit none of them. The peak is (1 + level / 2) times
   the load. Placed in order of death, the longest-lived at the bottom, buffers that end together
   lie side by side in multiples of 2^i units, so the load is enough.

   Stairs, against placing in order of size or from short to long lifetimes. A stair of height k
   ends in its top buffer, which alone is live at its last step. It overlaps that of a stair of
   height k - 1 on its left, covers stairs of height 1 .. k - 2 whole, and so lies on a buffer at
   each offset below k:

       height 3          333
                       22         placed 1, 1, 2, 3: each on top of those placed before it
                      1   1

   The most buffers that are live at once grow by one only with every second height: at height 2
   level + 1 there are level + 1. With equal sizes the order would be left to chance, so each buffer
   is one byte smaller than the one before it, less than a thousandth in all. */

enum { TARGET, LEVEL };

#define TARGETS                                                                                    \
    "sequential birth_best_fit large_first size_best_fit size_duration_first_fit "                 \
    "size_duration_best_fit short_first"
enum { HOLES_TARGETS = 2, UNIT = 1024, STAIR_BYTES = 1 << 24 };

static const struct generate_option options[] = {
    [TARGET] = {"target", 0, 0, 0, TARGETS, "the heuristic that fails"},
    [LEVEL] = {"level", 3, 1, 6, NULL, "how badly"},
};

static enum status add_one(const struct generate_sink *sink, uint64_t size, uint32_t lower,
                           uint32_t upper, struct error *error)
{
    const struct generate_buffer buffer = {
        .size = size, .offset = PROBLEM_FREE, .lower = lower, .upper = upper};
    return sink->add(sink->context, &buffer, error);
}

enum { MOST_HEIGHT = 13 };

struct builder {
    const struct generate_sink *sink;
    uint32_t length[MOST_HEIGHT + 1]; /* [height] steps that a stair of each height takes */
    uint64_t added;
    struct error *error;
};

static enum status add_stair(struct builder *builder, uint32_t height, uint32_t start)
{
    uint32_t at = start, lower = start;
    for (uint32_t k = height - 1; k > 0; k--) {
        TRY(add_stair(builder, k, at));
        at += builder->length[k];
        if (k == height - 1)
            lower = at - 1;
    }
    uint64_t size = STAIR_BYTES - builder->added++;
    return add_one(builder->sink, size, lower, at + 1, builder->error);
}

static enum status generate_trap(const struct generate_settings *settings,
                                 const struct generate_sink *sink, struct error *error)
{
    uint32_t level = (uint32_t)settings->value[LEVEL], heights = 2 * level + 1, covered = 0;
    uint64_t units = UINT64_C(1) << (2 * level);
    struct builder builder = {.sink = sink, .length[1] = 1, .error = error};
    if (settings->value[TARGET] >= HOLES_TARGETS) {
        for (uint32_t k = 2; k <= heights; k++) {
            builder.length[k] = builder.length[k - 1] + covered + 1;
            covered += builder.length[k - 1];
        }
        return add_stair(&builder, heights, 0);
    }
    for (uint32_t phase = 0; phase <= level; phase++) {
        uint64_t count = phase ? units / 2 >> phase : units;
        for (uint64_t i = 0; i < count; i++) {
            /* A buffer ends one phase after its own, and one more for each time that its place
               among its like is the last of a pair. */
            uint32_t end = phase + 1;
            for (uint64_t place = i; end <= level && place % 2 == 1; place /= 2)
                end++;
            TRY(add_one(sink, (uint64_t)UNIT << phase, phase, end, error));
        }
    }
    return STATUS_OK;
}

const struct generate_kind generate_adversarial = {
    .name = "adversarial",
    .title = "a named heuristic is far from the optimum, the farther the higher the level",
    GENERATE_OPTIONS(options),
    .problem = generate_trap,
};
