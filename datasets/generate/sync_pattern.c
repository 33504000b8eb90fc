/* Buffers of threads that now and then tell each other how far they have come, in one of eleven
   patterns; after OmniMalloc's benchmark of that name. Each thread counts its own ticks and keeps
   what it has heard of the others. A buffer is live between two ticks of its thread. */

#include <string.h>

#include "core/scratch.h"
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

/* Lets the threads [first, end) learn what any of them knows. */
static void merge_range(const struct threads *threads, uint32_t step, uint32_t first, uint32_t end)
{
    uint32_t thread[GENERATE_MOST_STREAMS], count = 0;
    end = end < threads->streams ? end : threads->streams;
    for (uint32_t t = first; t < end; t++)
        thread[count++] = t;
    merge(threads, step, thread, count);
}

/* Draws another thread; all are equally likely. */
static uint32_t draw_other(struct threads *threads, uint32_t thread)
{
    uint32_t ahead = 1 + (uint32_t)random_below(&threads->random, threads->streams - 1);
    return (thread + ahead) % threads->streams;
}

static void exchange(struct threads *threads, uint32_t step)
{
    uint32_t streams = threads->streams, phase = step % threads->period,
             period = step / threads->period;
    uint32_t thread[GENERATE_MOST_STREAMS], block = 0, half = 0, levels = 1, from;
    switch (threads->pattern) {
    case RING:
        deliver(threads, step, step % streams, (step + 1) % streams);
        return;
    case DENSE:
        for (uint32_t t = 0; t < streams; t++)
            deliver(threads, step, draw_other(threads, t), t);
        return;
    case FORK_JOIN:
        for (uint32_t t = 1; t < streams && phase == 1 % threads->period; t++)
            deliver(threads, step, 0, t);
        for (uint32_t t = 1; t < streams && phase == 0; t++)
            deliver(threads, step, t, 0);
        return;
    case IRREGULAR:
        if (random_below(&threads->random, threads->period) != 0)
            break;
        for (uint32_t t = 0; t < streams; t++)
            thread[t] = t;
        random_shuffle(&threads->random, thread, streams);
        merge(threads, step, thread, 2 + (uint32_t)random_below(&threads->random, streams - 1));
        return;
    default:
        break;
    }
    if (phase)
        return;
    switch (threads->pattern) { /* what happens once in a period */
    case SUBSET:
        merge_range(threads, step, 0, streams / 2);
        return;
    case SPARSE:
        from = (uint32_t)random_below(&threads->random, streams);
        deliver(threads, step, from, draw_other(threads, from));
        return;
    case BARRIER:
        block = streams;
        break;
    case PAIRS:
        block = 2;
        break;
    case TREE: /* the blocks double from one exchange to the next, until one has all threads */
        while (1U << levels < streams)
            levels++;
        half = 1U << ((period - 1) % levels);
        block = 2 * half;
        break;
    case GROUPS:
        block = period % 4 == 0 ? streams : threads->group;
        break;
    default:
        return;
    }
    for (uint32_t first = 0; first + half < streams; first += block)
        merge_range(threads, step, first, first + block);
}

/* The number of steps after which a thread ticks. */
static uint32_t ticks_every(const struct threads *threads, uint32_t thread)
{
    return 1 + thread % threads->skew;
}

/* Ticks are counted from 1; the threads that have two of them come before the others. */
static struct clock draw_life(struct threads *threads, uint64_t lifetime)
{
    uint32_t thread, every;
    do {
        thread = (uint32_t)random_below(&threads->random, threads->streams);
        every = ticks_every(threads, thread);
    } while (threads->steps / every < 2);
    uint32_t ticks = threads->steps / every;
    uint32_t birth = 1 + (uint32_t)random_below(&threads->random, ticks - 1);
    uint32_t last = lifetime < ticks - birth ? birth + (uint32_t)lifetime : ticks;
    uint32_t death = birth + 1 + (uint32_t)random_below(&threads->random, last - birth);
    return (struct clock){threads->streams, clock_of(threads, birth * every, thread),
                          clock_of(threads, death * every, thread)};
}

static enum status generate_patterns(const struct generate_settings *settings,
                                     const struct generate_sink *sink, struct error *error)
{
    const uint64_t *value = settings->value;
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint64_t steps = 2 * value[BUFFERS] / value[STREAMS], least = 4 * value[SKEW], *size;
    uint32_t group = 2;
    while ((uint64_t)(group + 1) * (group + 1) <= value[STREAMS])
        group++;
    if (value[STEPS])
        steps = value[STEPS];
    else if (steps < least)
        steps = least;
    struct threads threads = {.random = random_seed(settings->seed),
                              .streams = (uint32_t)value[STREAMS],
                              .steps = (uint32_t)steps,
                              .skew = (uint32_t)value[SKEW],
                              .period = (uint32_t)value[PERIOD],
                              .group = value[GROUP] ? (uint32_t)value[GROUP] : group,
                              .pattern = (enum pattern)value[PATTERN]};
    size_t row = (size_t)threads.streams * threads.streams;
    if (threads.steps < 2)
        return error_set(error, STATUS_USAGE, "steps is %u, expected at least 2, a buffer's life",
                         threads.steps);
    if ((threads.steps + 1ULL) * row > MOST_COMPONENTS)
        return error_set(error, STATUS_USAGE,
                         "found %u steps of %u streams, expected fewer: steps x streams^2 up to %d",
                         threads.steps, threads.streams, MOST_COMPONENTS);
    TRY(scratch_take(&scratch, &threads.clock, (threads.steps + 1ULL) * row, sizeof(uint32_t),
                     error));
    TRY(scratch_take(&scratch, &size, value[BUFFERS], sizeof *size, error));
    for (uint64_t b = 0; b < value[BUFFERS]; b++)
        size[b] = generate_stream_size(&threads.random);

    for (uint32_t step = 1; step <= threads.steps; step++) {
        memcpy(clock_of(&threads, step, 0), clock_of(&threads, step - 1, 0),
               row * sizeof(uint32_t));
        for (uint32_t t = 0; t < threads.streams; t++)
            clock_of(&threads, step, t)[t] += step % ticks_every(&threads, t) == 0;
        exchange(&threads, step);
    }
    for (uint32_t b = 0; b < value[BUFFERS]; b++) {
        const struct generate_buffer buffer = {
            .size = size[b],
            .offset = PROBLEM_FREE,
            .clock = draw_life(&threads, value[LIFETIME] ? value[LIFETIME] : threads.steps / 4)};
        TRY(sink->add(sink->context, &buffer, error));
    }
    return STATUS_OK;
}

const struct generate_kind generate_sync_pattern = {
    .name = "sync_pattern",
    .title = "threads that tell each other how far they are, in one of eleven patterns",
    GENERATE_OPTIONS(options),
    .problem = generate_patterns,
};
