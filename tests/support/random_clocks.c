#include "support/random_clocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STREAMS = 3, EVENTS = 12 };

static struct error error;

static void expect(enum status status)
{
    if (status)
        abort();
}

static uint32_t draw(struct random_state *random, uint32_t least, uint32_t most)
{
    return least + (uint32_t)random_below(random, most - least + 1);
}

/* What each event of some streams knows of all; the n-th is on stream on[n]. */
struct history {
    uint32_t streams, on[EVENTS], clock[EVENTS][MOST_STREAMS];
};

static void merge(uint32_t *into, const uint32_t *from)
{
    for (uint32_t s = 0; s < MOST_STREAMS; s++)
        if (from[s] > into[s])
            into[s] = from[s];
}

static void draw_history(struct history *history, struct random_state *random)
{
    uint32_t now[MOST_STREAMS][MOST_STREAMS] = {{0}};
    history->streams = draw(random, 1, MOST_STREAMS);
    for (uint32_t e = 0; e < EVENTS; e++) {
        uint32_t stream = history->on[e] = draw(random, 0, history->streams - 1);
        if (draw(random, 0, 2) == 0)
            merge(now[stream], now[draw(random, 0, history->streams - 1)]);
        now[stream][stream]++;
        memcpy(history->clock[e], now[stream], sizeof now[stream]);
    }
}

/* Begins before its writer runs, ends behind its readers. */
static void add_lived(const struct history *history, struct problem *problem,
                      struct random_state *random)
{
    uint32_t start[MOST_STREAMS], end[MOST_STREAMS], writer = draw(random, 0, EVENTS - 1);
    memcpy(start, history->clock[writer], sizeof start);
    start[history->on[writer]]--;
    memcpy(end, history->clock[writer], sizeof end);
    for (uint32_t readers = draw(random, 0, 2); readers > 0; readers--) {
        uint32_t reader = draw(random, writer, EVENTS - 1), known = history->on[writer];
        if (history->clock[reader][known] >= history->clock[writer][known])
            merge(end, history->clock[reader]);
    }
    expect(problem_add_clock(problem, (struct clock){history->streams, start, end}, &error));
}

static void add_drawn(uint32_t streams, struct problem *problem, struct random_state *random)
{
    uint32_t start[MOST_STREAMS], end[MOST_STREAMS];
    for (uint32_t s = 0; s < streams; s++) {
        start[s] = draw(random, 0, 5);
        end[s] = start[s] + draw(random, 0, 2);
    }
    end[0] += memcmp(start, end, streams * sizeof *start) == 0;
    expect(problem_add_clock(problem, (struct clock){streams, start, end}, &error));
}

struct problem *random_clocks_create(uint32_t most_buffers, uint64_t most_size,
                                     struct random_state *random)
{
    struct problem *problem;
    struct history history;
    uint32_t buffers = draw(random, 1, most_buffers);
    bool lived = draw(random, 0, 1);
    draw_history(&history, random);
    expect(problem_create(&problem, "clocks", &error));
    for (uint32_t b = 0; b < buffers; b++) {
        char name[16];
        snprintf(name, sizeof name, "b%u", b);
        struct problem_buffer buffer = {.name = name,
                                        .size = 1 + random_below(random, most_size),
                                        .alignment = 1,
                                        .fixed_offset = PROBLEM_FREE,
                                        .hint = -1};
        expect(problem_add_buffer(problem, &buffer, &error));
        if (lived)
            add_lived(&history, problem, random);
        else
            add_drawn(history.streams, problem, random);
    }
    return problem;
}

static bool is_before(const struct problem *problem, uint32_t a, uint32_t b)
{
    const uint32_t *end = problem_clock(problem, a).end, *start = problem_clock(problem, b).start;
    for (uint32_t s = 0; s < problem_streams(problem); s++)
        if (end[s] > start[s])
            return false;
    return true;
}

bool random_clocks_conflict(const struct problem *problem, uint32_t a, uint32_t b)
{
    return !is_before(problem, a, b) && !is_before(problem, b, a);
}
