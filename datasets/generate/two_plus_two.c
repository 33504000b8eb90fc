/* Groups of two chains, each of two buffers and on a thread of its own. Within a group the threads
   do not wait for each other. A group is the smallest problem whose conflicts no lifetimes on one
   line of steps can express. Noise is added: buffers of one step on one of the two threads. After
   OmniMalloc's benchmark of that name. */

#include "datasets/generate/distributions.h"
#include "datasets/generate/generate.h"

enum { BUFFERS, NOISE };

static const struct generate_option options[] = {
    [BUFFERS] = {"buffers", 128, 4, 10000000, NULL, "number of buffers"},
    [NOISE] = {"noise", 0, 0, 100, NULL, "percent of the buffers that are in no group"},
};

struct maker {
    struct random_state random;
    const struct generate_sink *sink;
    struct error *error;
};

static enum status add(struct maker *maker, const uint32_t start[2], const uint32_t end[2])
{
    const struct generate_buffer buffer = {.size = generate_stream_size(&maker->random),
                                           .offset = PROBLEM_FREE,
                                           .clock = {2, start, end}};
    return maker->sink->add(maker->sink->context, &buffer, maker->error);
}

static enum status generate_groups(const struct generate_settings *settings,
                                   const struct generate_sink *sink, struct error *error)
{
    const uint64_t *value = settings->value;
    struct maker maker = {random_seed(settings->seed), sink, error};
    uint32_t grouped = (uint32_t)((value[BUFFERS] * (100 - value[NOISE]) + 50) / 100);
    uint32_t groups = grouped < 4 ? 1 : grouped / 4;
    for (uint32_t from = 0; from < 4 * groups; from += 4) {
        TRY(add(&maker, (uint32_t[]){from, from}, (uint32_t[]){from + 1, from}));
        TRY(add(&maker, (uint32_t[]){from + 1, from}, (uint32_t[]){from + 2, from}));
        TRY(add(&maker, (uint32_t[]){from, from}, (uint32_t[]){from, from + 1}));
        TRY(add(&maker, (uint32_t[]){from, from + 1}, (uint32_t[]){from, from + 2}));
    }
    for (uint32_t b = 4 * groups; b < value[BUFFERS]; b++) {
        uint32_t start[2] = {0, 0}, end[2] = {0, 0};
        uint64_t thread = random_below(&maker.random, 2);
        start[thread] = (uint32_t)random_below(&maker.random, 4 * groups);
        end[thread] = start[thread] + 1;
        TRY(add(&maker, start, end));
    }
    return STATUS_OK;
}

const struct generate_kind generate_two_plus_two = {
    .name = "two_plus_two",
    .title = "groups of two chains of two buffers, the least that no line of steps can say",
    GENERATE_OPTIONS(options),
    .problem = generate_groups,
};
