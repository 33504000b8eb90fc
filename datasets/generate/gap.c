#include "datasets/generate/distributions.h"
#include "datasets/generate/generate.h"

/* Small problems whose optimum is above the load. Buffers are drawn so that every step is filled to
   exactly the capacity; those for which a search proves that nothing fits the capacity are kept.

   The search is small because nothing may be wasted. Let height[t] be the bytes placed so far at
   step t, without holes below, and s a step where it is least. In a plan that fits, the byte at
   height[s] is used at step s, by a buffer b that is not placed yet. b cannot begin lower, where
   all is taken, so it begins exactly there; and height[t] = height[s] at every step t of its life,
   since a greater one would overlap. So one of few buffers comes next, and if each of them leads to
   nothing, no plan fits: every plan's peak is above the load, which is the capacity. */

enum { BUFFERS, CAPACITY, UNIT };

static const struct generate_option options[] = {
    [BUFFERS] = {"buffers", 32, 12, 48, NULL, "number of buffers"},
    [CAPACITY] = {"capacity", 24, 8, 4096, NULL, "the load, in units"},
    [UNIT] = {"unit", 1024, 1, 1 << 30, NULL, "bytes"},
};

enum {
    MOST_BUFFERS = 48,
    MOST_DRAWN = 200000, /* of these one in ten to one in a hundred is kept */
    MOST_NODES = 1 << 18,
    END_PERCENT = 35,
};

struct drawn {
    uint32_t lower, upper;
    uint64_t units;
};

struct filler {
    struct random_state random;
    struct drawn buffer[MOST_BUFFERS];
    uint64_t capacity; /* units */
    uint32_t buffers, most, steps;
};

/* Divides units among new buffers that are born at a step; the last buffer that may be made takes
   all that is left. */
static void fill_step(struct filler *filler, uint32_t step, uint64_t units)
{
    uint64_t largest = filler->capacity / 3;
    while (units > 0) {
        uint64_t size = 1 + random_below(&filler->random, units < largest ? units : largest);
        if (filler->buffers + 1 == filler->most)
            size = units;
        filler->buffer[filler->buffers++] = (struct drawn){step, UINT32_MAX, size};
        units -= size;
    }
}

static void draw_buffers(struct filler *filler)
{
    filler->buffers = 0;
    filler->steps = 1;
    fill_step(filler, 0, filler->capacity);
    while (filler->buffers < filler->most) {
        uint32_t step = filler->steps++;
        uint64_t ended = 0; /* units */
        while (!ended)
            for (uint32_t b = 0; b < filler->buffers; b++)
                if (filler->buffer[b].upper == UINT32_MAX &&
                    generate_happens(END_PERCENT, &filler->random)) {
                    filler->buffer[b].upper = step;
                    ended += filler->buffer[b].units;
                }
        fill_step(filler, step, ended);
    }
    for (uint32_t b = 0; b < filler->buffers; b++)
        if (filler->buffer[b].upper == UINT32_MAX)
            filler->buffer[b].upper = filler->steps;
}

struct search {
    const struct filler *filler;
    bool placed[MOST_BUFFERS];
    uint64_t height[MOST_BUFFERS]; /* [steps] */
    uint32_t nodes;
};

/* Whether a buffer fits right there. Only one order of equal buffers has to be tried, so those with
   a lower number come first. */
static bool can_place(const struct search *search, uint32_t b, uint32_t step)
{
    const struct drawn *buffer = search->filler->buffer, *placed = &buffer[b];
    if (search->placed[b] || step < placed->lower || step >= placed->upper)
        return false;
    for (uint32_t t = placed->lower; t < placed->upper; t++)
        if (search->height[t] != search->height[step])
            return false;
    for (uint32_t c = 0; c < b; c++)
        if (!search->placed[c] && buffer[c].lower == placed->lower &&
            buffer[c].upper == placed->upper && buffer[c].units == placed->units)
            return false;
    return true;
}

/* Whether the rest fits; also true when the limit of nodes leaves that open. */
static bool may_fit(struct search *search)
{
    const struct filler *filler = search->filler;
    uint32_t lowest = 0;
    for (uint32_t t = 1; t < filler->steps; t++)
        if (search->height[t] < search->height[lowest])
            lowest = t;
    if (search->height[lowest] == filler->capacity || ++search->nodes > MOST_NODES)
        return true;
    for (uint32_t b = 0; b < filler->buffers; b++) {
        const struct drawn *buffer = &filler->buffer[b];
        if (!can_place(search, b, lowest))
            continue;
        search->placed[b] = true;
        for (uint32_t t = buffer->lower; t < buffer->upper; t++)
            search->height[t] += buffer->units;
        if (may_fit(search))
            return true;
        search->placed[b] = false;
        for (uint32_t t = buffer->lower; t < buffer->upper; t++)
            search->height[t] -= buffer->units;
    }
    return false;
}

static enum status generate_gaps(const struct generate_settings *settings,
                                 const struct generate_sink *sink, struct error *error)
{
    const uint64_t *value = settings->value;
    struct filler filler = {.random = random_seed(settings->seed),
                            .capacity = value[CAPACITY],
                            .most = (uint32_t)value[BUFFERS]};
    for (uint32_t drawn = 0; drawn < MOST_DRAWN; drawn++) {
        struct search search = {.filler = &filler};
        draw_buffers(&filler);
        if (may_fit(&search))
            continue;
        for (uint32_t b = 0; b < filler.buffers; b++) {
            const struct generate_buffer buffer = {.size = filler.buffer[b].units * value[UNIT],
                                                   .offset = PROBLEM_FREE,
                                                   .lower = filler.buffer[b].lower,
                                                   .upper = filler.buffer[b].upper};
            TRY(sink->add(sink->context, &buffer, error));
        }
        return STATUS_OK;
    }
    return error_set(error, STATUS_LIMIT,
                     "none of %d problems with %llu buffers and load %llu has its optimum above it",
                     MOST_DRAWN, (unsigned long long)value[BUFFERS],
                     (unsigned long long)value[CAPACITY]);
}

const struct generate_kind generate_gap = {
    .name = "gap",
    .title = "every step filled to the load, and proved that no plan reaches it",
    GENERATE_OPTIONS(options),
    .problem = generate_gaps,
};
