#include "datasets/generate/distributions.h"
#include "datasets/generate/generate.h"

/* Like the layers of a deep network in execution order: some buffers are born at each step, most
   die after a few steps and some live for long.

   The first step holds `live` buffers whose remaining lifetimes are drawn from the same
   distribution as whole ones, because a geometric life has no memory; births then make up for
   deaths, so that the average is near `live` from the first step to the last. */

enum { BUFFERS, LIVE, LONG, SMALLEST, LARGEST, UNIT };

/* A long life is this many times an ordinary one. */
enum { LONG_FACTOR = 20 };

static const struct generate_option options[] = {
    [BUFFERS] = {"buffers", 1000, 2, 100000000, NULL, "number of buffers"},
    [LIVE] = {"live", 50, 1, 1000000, NULL, "average number of buffers live at a step"},
    [LONG] = {"long", 5, 0, 50, NULL, "percent of the buffers that live 20 times as long"},
    [SMALLEST] = {"smallest", 64, 1, UINT64_C(1) << 40, NULL, "bytes of the smallest buffer"},
    [LARGEST] = {"largest", 1 << 20, 1, UINT64_C(1) << 40, NULL, "bytes of the largest buffer"},
    [UNIT] = {"unit", 64, 1, 1 << 20, NULL, "sizes are rounded up to multiples of this"},
};

struct layers {
    const uint64_t *value; /* of the kind's options */
    const struct generate_sink *sink;
    struct random_state random;
    struct generate_geometric ordinary, longer;
    uint32_t steps;
};

static enum status add_buffer(struct layers *layers, uint32_t lower, bool longer,
                              struct error *error)
{
    const uint64_t *value = layers->value;
    uint64_t size = generate_log_uniform(value[SMALLEST], value[LARGEST], &layers->random);
    uint32_t life =
        generate_geometric_draw(longer ? &layers->longer : &layers->ordinary, &layers->random);
    const struct generate_buffer buffer = {
        .size = (size + value[UNIT] - 1) / value[UNIT] * value[UNIT],
        .offset = PROBLEM_FREE,
        .lower = lower,
        .upper = life < layers->steps - lower ? lower + life : layers->steps,
    };
    return layers->sink->add(layers->sink->context, &buffer, error);
}

static enum status generate_layers(const struct generate_settings *settings,
                                   const struct generate_sink *sink, struct error *error)
{
    const uint64_t *value = settings->value;
    /* The mean life in units of an ordinary life, times 100. */
    uint64_t live_count = 100 + (LONG_FACTOR - 1) * value[LONG], least = (live_count + 99) / 100;
    if (value[LIVE] < least)
        return error_set(error, STATUS_USAGE, "live is %llu, expected at least %llu for long=%llu",
                         (unsigned long long)value[LIVE], (unsigned long long)least,
                         (unsigned long long)value[LONG]);
    if (value[BUFFERS] <= value[LIVE])
        return error_set(error, STATUS_USAGE, "buffers is %llu, expected more than live=%llu",
                         (unsigned long long)value[BUFFERS], (unsigned long long)value[LIVE]);
    TRY(generate_check_sizes(value[SMALLEST], value[LARGEST], error));

    uint64_t births = value[LIVE] * 100 >= 2 * live_count ? 2 : 1;
    uint64_t later = value[BUFFERS] - value[LIVE];
    struct layers layers = {
        .value = value,
        .sink = sink,
        .random = random_seed(settings->seed),
        .ordinary = generate_geometric_start(value[LIVE] * 100, births * live_count),
        .longer = generate_geometric_start(value[LIVE] * 100 * LONG_FACTOR, births * live_count),
        .steps = (uint32_t)(1 + (later + births - 1) / births)};
    /* Long-lived buffers are met at more steps than others, so they are more frequent among those
       that are live at one step than among all. */
    for (uint64_t i = 0; i < value[LIVE]; i++) {
        bool longer = random_below(&layers.random, live_count) < LONG_FACTOR * value[LONG];
        TRY(add_buffer(&layers, 0, longer, error));
    }
    for (uint64_t i = 0; i < later; i++) {
        bool longer = generate_happens(value[LONG], &layers.random);
        TRY(add_buffer(&layers, 1 + (uint32_t)(i / births), longer, error));
    }
    return STATUS_OK;
}

const struct generate_kind generate_layered = {
    .name = "layered",
    .title = "log-uniform sizes, geometric lives, a long-lived share; any number of buffers",
    GENERATE_OPTIONS(options),
    .problem = generate_layers,
};
