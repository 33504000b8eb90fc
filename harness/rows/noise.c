#include "harness/rows/noise.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/clock.h"
#include "core/compare.h"

/* Limits above which times are not what an idle machine would have measured. */
enum {
    MOST_SPREAD_PPM = 50000,
    MOST_OTHERS_PPM = 20000,
    MOST_STOLEN_PPM = 5000,
    MOST_IDLE_LOAD_THOUSANDTHS = 250, /* load beyond that of the run's own threads */
};

/* Appends a reason behind those before it, where there is one. */
static void __attribute__((format(printf, 3, 4)))
add_reason(struct text *reasons, bool there, const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (there)
        text_append(reasons, "%s%s", reasons->length ? "; " : "", reason);
}

void noise_describe(const struct noise_facts *facts, struct text *reasons)
{
    add_reason(reasons,
               facts->load_thousandths >
                   1000 * (uint64_t)facts->threads + MOST_IDLE_LOAD_THOUSANDTHS,
               "the load average is %.2f where %u would be this run's",
               (double)facts->load_thousandths / 1000, facts->threads);
    add_reason(reasons, facts->others_ppm > MOST_OTHERS_PPM,
               "other processes took %.1f%% of the processor time",
               (double)facts->others_ppm / 1e4);
    add_reason(reasons, facts->stolen_ppm > MOST_STOLEN_PPM,
               "other virtual machines took %.1f%% of the processor time",
               (double)facts->stolen_ppm / 1e4);
    add_reason(reasons, *facts->governor && strcmp(facts->governor, "performance") != 0,
               "the governor of the clock rate is %s, not performance", facts->governor);
    add_reason(reasons, facts->throttled, "a processor was slowed down for its heat");
    add_reason(reasons, facts->spread_ppm > MOST_SPREAD_PPM,
               "equal pieces of work took times that are %.1f%% apart",
               (double)facts->spread_ppm / 1e4);
}

uint64_t noise_measure_spread(void)
{
    enum { PIECES = 40, STEPS = 1 << 19 };
    uint64_t time_ns[PIECES];
    volatile uint64_t result = 88172645463325252u;
    for (int i = 0; i < PIECES; i++) {
        uint64_t began_ns = clock_monotonic_ns(), state = result;
        /* Something that touches no memory and that no compiler can leave out. */
        for (int step = 0; step < STEPS; step++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }
        result = state;
        time_ns[i] = clock_monotonic_ns() - began_ns;
    }
    qsort(time_ns, PIECES, sizeof *time_ns, compare_number_items);
    uint64_t least_ns = time_ns[0] ? time_ns[0] : 1;
    return (time_ns[PIECES * 9 / 10] - least_ns) * 1000000 / least_ns;
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
    uint64_t stolen_ns = subtract(after->stolen_ns, before->stolen_ns);
    facts->others_ppm = facts->stolen_ppm = 0;
    if (all_ns) {
        facts->others_ppm = (uint64_t)(1e6 * (double)subtract(busy_ns, own_ns) / (double)all_ns);
        facts->stolen_ppm = (uint64_t)(1e6 * (double)stolen_ns / (double)all_ns);
    }
}

uint64_t noise_own_ns(void)
{
    struct rusage used[2];
    uint64_t own_ns = 0;
    if (getrusage(RUSAGE_SELF, &used[0]) != 0 || getrusage(RUSAGE_CHILDREN, &used[1]) != 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        own_ns += (uint64_t)(used[i].ru_utime.tv_sec + used[i].ru_stime.tv_sec) * 1000000000;
        own_ns += (uint64_t)(used[i].ru_utime.tv_usec + used[i].ru_stime.tv_usec) * 1000;
    }
    return own_ns;
}
