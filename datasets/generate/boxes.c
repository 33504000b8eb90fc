#include "core/memory.h"
#include "datasets/generate/distributions.h"
#include "datasets/generate/generate.h"

/* Sizes and lifetimes that know nothing of each other. Sizes are drawn from a whole range or from a
   few values far apart; lifetimes begin anywhere, or one at each step like those of a chain of
   operators. */

enum { BUFFERS, STEPS, SHORTEST, LONGEST, SMALLEST, LARGEST, SIZES, BEGINS };
enum { BEGINS_ANYWHERE, BEGINS_AS_CHAIN };

static const struct generate_option options[] = {
    [BUFFERS] = {"buffers", 1000, 1, 10000000, NULL, "number of buffers"},
    [STEPS] = {"steps", 1000, 1, 1000000, NULL, "at which buffers begin, unless as a chain"},
    [SHORTEST] = {"shortest", 1, 1, 1000000, NULL, "steps of the shortest life"},
    [LONGEST] = {"longest", 100, 1, 1000000, NULL, "steps of the longest life"},
    [SMALLEST] = {"smallest", 64, 1, UINT64_C(1) << 40, NULL, "bytes of the smallest buffer"},
    [LARGEST] = {"largest", 1 << 20, 1, UINT64_C(1) << 40, NULL, "bytes of the largest buffer"},
    [SIZES] = {"sizes", 0, 0, 1000, NULL,
               "number of different sizes, their logarithms uniform; 0: any"},
    [BEGINS] = {"begins", BEGINS_ANYWHERE, 0, 0, "anywhere chain", "where lifetimes begin"},
};

static enum status generate_boxes_of(const struct generate_settings *settings,
                                     const struct generate_sink *sink, struct error *error)
{
    const uint64_t *value = settings->value;
    struct random_state random = random_seed(settings->seed);
    SCOPED(memory_release) uint64_t *size = NULL;
    if (value[SHORTEST] > value[LONGEST])
        return error_set(error, STATUS_USAGE, "shortest is %llu, expected at most longest=%llu",
                         (unsigned long long)value[SHORTEST], (unsigned long long)value[LONGEST]);
    TRY(generate_check_sizes(value[SMALLEST], value[LARGEST], error));
    TRY(memory_create(&size, value[SIZES] + 1, sizeof *size, error));
    for (uint64_t i = 0; i < value[SIZES]; i++)
        size[i] = generate_log_uniform(value[SMALLEST], value[LARGEST], &random);
    for (uint64_t i = 0; i < value[BUFFERS]; i++) {
        uint64_t begin = value[BEGINS] == BEGINS_AS_CHAIN ? i : random_below(&random, value[STEPS]);
        uint64_t life =
            value[SHORTEST] + random_below(&random, value[LONGEST] - value[SHORTEST] + 1);
        const struct generate_buffer buffer = {
            .size = value[SIZES] ? size[random_below(&random, value[SIZES])]
                                 : value[SMALLEST] +
                                       random_below(&random, value[LARGEST] - value[SMALLEST] + 1),
            .offset = PROBLEM_FREE,
            .lower = (uint32_t)begin,
            .upper = (uint32_t)(begin + life)};
        TRY(sink->add(sink->context, &buffer, error));
    }
    return STATUS_OK;
}

const struct generate_kind generate_boxes = {
    .name = "boxes",
    .title = "sizes and lives drawn apart: any or few sizes, begun anywhere or as a chain",
    GENERATE_OPTIONS(options),
    .problem = generate_boxes_of,
};
