/* Buffers of threads that now and then tell each other how far they are, in eleven patterns, after
   OmniMalloc's benchmark of that name. Each thread counts its own ticks and keeps what it has heard
   of the others. A buffer is live between two ticks of its thread. */

#include <string.h>

#include "core/memory.h"
#include "datasets/generate/distributions.h"
#include "datasets/generate/generate.h"

enum { BUFFERS, STREAMS, PATTERN, STEPS, PERIOD, GROUP, SKEW, LIFETIME };

enum pattern {
    INDEPENDENT,
    PAIRS,
    SUBSET,
    SPARSE,
    IRREGULAR,
    RING,
    TREE,
    GROUPS,
    BARRIER,
    FORK_JOIN,
    DENSE,
};

static const struct generate_option options[] = {
    [BUFFERS] = {"buffers", 128, 1, 10000000, NULL, "number of buffers"},
    [STREAMS] = {"streams", 4, 2, GENERATE_MOST_STREAMS, NULL, "number of threads"},
    [PATTERN] = {"pattern", DENSE, 0, 0,
                 "independent pairs subset sparse irregular ring tree groups barrier fork_join "
                 "dense",
                 "who tells whom, and when"},
    [STEPS] = {"steps", 0, 0, 10000000, NULL, "steps; 0: 2 buffers / streams"},
    [PERIOD] = {"period", 8, 1, 1000000, NULL, "steps between two exchanges"},
    [GROUP] = {"group", 0, 0, GENERATE_MOST_STREAMS, NULL,
               "threads of a group; 0: the root of their number"},
    [SKEW] = {"skew", 1, 1, 1000, NULL, "thread t ticks every 1 + t mod skew steps"},
    [LIFETIME] = {"lifetime", 0, 0, 10000000, NULL, "most ticks of a buffer; 0: a quarter of all"},
};

enum { MOST_COMPONENTS = 1 << 29 };

struct threads {
    struct random_state random;
    uint32_t streams, steps, skew, period, group;
    enum pattern pattern;
    uint32_t *clock; /* [(steps + 1) * streams * streams] what each thread knows after each step */
};

static uint32_t *clock_of(const struct threads *threads, uint32_t step, uint32_t thread)
{
    uint64_t row = (uint64_t)step * threads->streams + thread;
    return threads->clock + row * threads->streams;
}

static void deliver(const struct threads *threads, uint32_t step, uint32_t from, uint32_t to)
{
    const uint32_t *sent = clock_of(threads, step, from);
    uint32_t *received = clock_of(threads, step, to);
    for (uint32_t s = 0; s < threads->streams; s++)
        if (sent[s] > received[s])
            received[s] = sent[s];
}

/* Lets all `count` threads of the list learn what any of them knows. */
static void merge(const struct threads *threads, uint32_t step, const uint32_t *thread,
                  uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        deliver(threads, step, thread[i], thread[0]);
    for (uint32_t i = 1; i < count; i++)
        deliver(threads, step, thread[0], thread[i]);
}

static void merge_range(const struct threads *threads, uint32_t step, uint32_t first, uint32_t end)
{
    uint32_t thread[GENERATE_MOST_STREAMS], count = 0;
    end = end < threads->streams ? end : threads->streams;
    for (uint32_t t = first; t < end; t++)
        thread[count++] = t;
    merge(threads, step, thread, count);
}

static void merge_blocks(const struct threads *threads, uint32_t step, uint32_t block)
{
    for (uint32_t first = 0; first < threads->streams; first += block)
        merge_range(threads, step, first, first + block);
}

static void merge_drawn(struct threads *threads, uint32_t step)
{
    uint32_t thread[GENERATE_MOST_STREAMS];
    for (uint32_t t = 0; t < threads->streams; t++)
        thread[t] = t;
    random_shuffle(&threads->random, thread, threads->streams);
    uint32_t count = 2 + (uint32_t)random_below(&threads->random, threads->streams - 1);
    merge(threads, step, thread, count);
}

/* Merges blocks of threads whose size doubles from one exchange to the next, until one block has
   all threads. */
static void merge_tree(const struct threads *threads, uint32_t step)
{
    uint32_t levels = 1;
    while (1U << levels < threads->streams)
        levels++;
    uint32_t stride = 1U << ((step / threads->period - 1) % levels);
    for (uint32_t low = 0; low + stride < threads->streams; low += 2 * stride)
        merge_range(threads, step, low, low + 2 * stride);
}

static void fork_and_join(const struct threads *threads, uint32_t step)
{
    uint32_t phase = step % threads->period;
    for (uint32_t t = 1; t < threads->streams && phase == 1 % threads->period; t++)
        deliver(threads, step, 0, t);
    for (uint32_t t = 1; t < threads->streams && phase == 0; t++)
        deliver(threads, step, t, 0);
}

/* Draws another thread; all are equally likely. */
static uint32_t draw_other(struct threads *threads, uint32_t thread)
{
    uint32_t ahead = 1 + (uint32_t)random_below(&threads->random, threads->streams - 1);
    return (thread + ahead) % threads->streams;
}

static void deliver_to_all(struct threads *threads, uint32_t step)
{
    for (uint32_t t = 0; t < threads->streams; t++)
        deliver(threads, step, draw_other(threads, t), t);
}

static void deliver_drawn(struct threads *threads, uint32_t step)
{
    uint32_t from = (uint32_t)random_below(&threads->random, threads->streams);
    deliver(threads, step, from, draw_other(threads, from));
}

/* Makes the exchange of a pattern that happens once in a period. */
static void exchange_periodically(struct threads *threads, uint32_t step)
{
    bool all = threads->pattern == BARRIER ||
               (threads->pattern == GROUPS && step / threads->period % 4 == 0);
    if (all)
        merge_range(threads, step, 0, threads->streams);
    else if (threads->pattern == PAIRS)
        merge_blocks(threads, step, 2);
    else if (threads->pattern == SUBSET)
        merge_range(threads, step, 0, threads->streams / 2);
    else if (threads->pattern == SPARSE)
        deliver_drawn(threads, step);
    else if (threads->pattern == TREE)
        merge_tree(threads, step);
    else if (threads->pattern == GROUPS)
        merge_blocks(threads, step, threads->group);
}

static void exchange(struct threads *threads, uint32_t step)
{
    if (threads->pattern == RING)
        deliver(threads, step, step % threads->streams, (step + 1) % threads->streams);
    else if (threads->pattern == DENSE)
        deliver_to_all(threads, step);
    else if (threads->pattern == FORK_JOIN)
        fork_and_join(threads, step);
    else if (threads->pattern == IRREGULAR && random_below(&threads->random, threads->period) == 0)
        merge_drawn(threads, step);
    else if (step % threads->period == 0)
        exchange_periodically(threads, step);
}

/* The number of steps after which a thread ticks. */
static uint32_t ticks_every(const struct threads *threads, uint32_t thread)
{
    return 1 + thread % threads->skew;
}

static void run_threads(struct threads *threads)
{
    size_t bytes = (size_t)threads->streams * threads->streams * sizeof(uint32_t);
    for (uint32_t step = 1; step <= threads->steps; step++) {
        memcpy(clock_of(threads, step, 0), clock_of(threads, step - 1, 0), bytes);
        for (uint32_t t = 0; t < threads->streams; t++)
            clock_of(threads, step, t)[t] += step % ticks_every(threads, t) == 0;
        exchange(threads, step);
    }
}

static uint32_t draw_between(struct random_state *random, uint32_t least, uint32_t most)
{
    return least + (uint32_t)random_below(random, most - least + 1);
}

/* Ticks are counted from 1; the threads that have two of them come before the others. */
static void draw_life(struct threads *threads, uint64_t lifetime, struct generate_buffer *buffer)
{
    uint32_t thread, every;
    do {
        thread = (uint32_t)random_below(&threads->random, threads->streams);
        every = ticks_every(threads, thread);
    } while (threads->steps / every < 2);
    uint32_t ticks = threads->steps / every;
    uint32_t birth = draw_between(&threads->random, 1, ticks - 1);
    uint32_t last = lifetime < ticks - birth ? birth + (uint32_t)lifetime : ticks;
    uint32_t death = draw_between(&threads->random, birth + 1, last);
    buffer->clock = (struct clock){threads->streams, clock_of(threads, birth * every, thread),
                                   clock_of(threads, death * every, thread)};
}

static enum status hand_out(struct threads *threads, const uint64_t *value, const uint64_t *size,
                            const struct generate_sink *sink, struct error *error)
{
    uint64_t lifetime = value[LIFETIME] ? value[LIFETIME] : threads->steps / 4;
    for (uint32_t b = 0; b < value[BUFFERS]; b++) {
        struct generate_buffer buffer = {.size = size[b], .offset = PROBLEM_FREE};
        draw_life(threads, lifetime, &buffer);
        TRY(sink->add(sink->context, &buffer, error));
    }
    return STATUS_OK;
}

static uint32_t count_steps(const uint64_t *value)
{
    uint64_t steps = 2 * value[BUFFERS] / value[STREAMS], least = 4 * value[SKEW];
    if (value[STEPS])
        return (uint32_t)value[STEPS];
    return (uint32_t)(steps < least ? least : steps);
}

static uint32_t choose_group(const uint64_t *value)
{
    uint32_t group = 2;
    while ((uint64_t)(group + 1) * (group + 1) <= value[STREAMS])
        group++;
    return value[GROUP] ? (uint32_t)value[GROUP] : group;
}

static enum status start_threads(const struct generate_settings *settings, struct threads *threads,
                                 struct error *error)
{
    const uint64_t *value = settings->value;
    *threads = (struct threads){.random = random_seed(settings->seed),
                                .streams = (uint32_t)value[STREAMS],
                                .steps = count_steps(value),
                                .skew = (uint32_t)value[SKEW],
                                .period = (uint32_t)value[PERIOD],
                                .group = choose_group(value),
                                .pattern = (enum pattern)value[PATTERN]};
    uint64_t components = (threads->steps + 1ULL) * threads->streams * threads->streams;
    if (threads->steps < 2)
        return error_set(error, STATUS_USAGE, "steps is %u, expected at least 2, a buffer's life",
                         threads->steps);
    if (components > MOST_COMPONENTS)
        return error_set(error, STATUS_USAGE,
                         "found %u steps of %u streams, expected fewer: steps x streams^2 up to %d",
                         threads->steps, threads->streams, MOST_COMPONENTS);
    return memory_create(&threads->clock, components, sizeof(uint32_t), error);
}

static enum status generate_patterns(const struct generate_settings *settings,
                                     const struct generate_sink *sink, struct error *error)
{
    struct threads threads;
    uint64_t *size = NULL;
    enum status status;
    TRY_OR_DONE(status, start_threads(settings, &threads, error));
    TRY_OR_DONE(status, memory_create(&size, settings->value[BUFFERS], sizeof *size, error));
    for (uint64_t b = 0; b < settings->value[BUFFERS]; b++)
        size[b] = generate_stream_size(&threads.random);
    run_threads(&threads);
    status = hand_out(&threads, settings->value, size, sink, error);
done:
    memory_free(threads.clock);
    memory_free(size);
    return status;
}

const struct generate_kind generate_sync_pattern = {
    .name = "sync_pattern",
    .title = "threads that tell each other how far they are, in one of eleven patterns",
    .option = options,
    .options = sizeof options / sizeof *options,
    .problem = generate_patterns,
};
