#include "harness/rows/noise.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/clock.h"

/* Limits above which times are not what an idle machine would have measured. */
enum {
    MOST_SPREAD_PPM = 50000,
    MOST_OTHERS_PPM = 20000,
    MOST_STOLEN_PPM = 5000,
    MOST_IDLE_LOAD_THOUSANDTHS = 250, /* load beyond that of the run's own threads */
};

static double percent(uint64_t ppm)
{
    return (double)ppm / 1e4;
}

static void begin_reason(struct text *reasons)
{
    text_append(reasons, "%s", reasons->length ? "; " : "");
}

void noise_describe(const struct noise_facts *facts, struct text *reasons)
{
    if (facts->load_thousandths > 1000 * (uint64_t)facts->threads + MOST_IDLE_LOAD_THOUSANDTHS) {
        begin_reason(reasons);
        text_append(reasons, "the load average is %.2f where %u would be this run's",
                    (double)facts->load_thousandths / 1000, facts->threads);
    }
    if (facts->others_ppm > MOST_OTHERS_PPM) {
        begin_reason(reasons);
        text_append(reasons, "other processes took %.1f%% of the processor time",
                    percent(facts->others_ppm));
    }
    if (facts->stolen_ppm > MOST_STOLEN_PPM) {
        begin_reason(reasons);
        text_append(reasons, "other virtual machines took %.1f%% of the processor time",
                    percent(facts->stolen_ppm));
    }
    if (*facts->governor && strcmp(facts->governor, "performance") != 0) {
        begin_reason(reasons);
        text_append(reasons, "the governor of the clock rate is %s, not performance",
                    facts->governor);
    }
    if (facts->throttled) {
        begin_reason(reasons);
        text_append(reasons, "a processor was slowed down for its heat");
    }
    if (facts->spread_ppm > MOST_SPREAD_PPM) {
        begin_reason(reasons);
        text_append(reasons, "equal pieces of work took times that are %.1f%% apart",
                    percent(facts->spread_ppm));
    }
}

/* Computes something that touches no memory and that no compiler can leave out. */
static uint64_t work(uint64_t state)
{
    enum { STEPS = 1 << 19 };
    for (int i = 0; i < STEPS; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    return state;
}

static int compare_times(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

uint64_t noise_measure_spread(void)
{
    enum { PIECES = 40 };
    uint64_t time_ns[PIECES];
    volatile uint64_t state = 88172645463325252u;
    for (int i = 0; i < PIECES; i++) {
        uint64_t began_ns = clock_monotonic_ns();
        state = work(state);
        time_ns[i] = clock_monotonic_ns() - began_ns;
    }
    qsort(time_ns, PIECES, sizeof *time_ns, compare_times);
    uint64_t least_ns = time_ns[0] ? time_ns[0] : 1;
    return (time_ns[PIECES * 9 / 10] - least_ns) * 1000000 / least_ns;
}

static uint64_t find_share(uint64_t part_ns, uint64_t all_ns)
{
    return all_ns ? (uint64_t)(1e6 * (double)part_ns / (double)all_ns) : 0;
}

static uint64_t subtract(uint64_t from, uint64_t what)
{
    return from > what ? from - what : 0;
}

void noise_find_shares(const struct machine_state *before, const struct machine_state *after,
                       uint64_t own_ns, struct noise_facts *facts)
{
    uint64_t all_ns = subtract(after->all_ns, before->all_ns);
    uint64_t busy_ns = subtract(after->busy_ns, before->busy_ns);
    facts->others_ppm = find_share(subtract(busy_ns, own_ns), all_ns);
    facts->stolen_ppm = find_share(subtract(after->stolen_ns, before->stolen_ns), all_ns);
}

static uint64_t sum_time_ns(const struct rusage *usage)
{
    uint64_t seconds = (uint64_t)usage->ru_utime.tv_sec + (uint64_t)usage->ru_stime.tv_sec;
    uint64_t parts = (uint64_t)usage->ru_utime.tv_usec + (uint64_t)usage->ru_stime.tv_usec;
    return seconds * 1000000000 + parts * 1000;
}

uint64_t noise_own_ns(void)
{
    struct rusage own, children;
    if (getrusage(RUSAGE_SELF, &own) != 0 || getrusage(RUSAGE_CHILDREN, &children) != 0)
        return 0;
    return sum_time_ns(&own) + sum_time_ns(&children);
}
