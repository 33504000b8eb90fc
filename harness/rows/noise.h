#ifndef MEMPLAN_HARNESS_ROWS_NOISE_H
#define MEMPLAN_HARNESS_ROWS_NOISE_H

#include "core/text.h"
#include "harness/rows/machine.h"

/* Finds out whether times that are measured now can be trusted: what else the machine does, and how
   it changes its own clock rate. */

/* What is known at the start or at the end of a run. Shares are of the time of all processors, in
   millionths. */
struct noise_facts {
    uint32_t threads;          /* number of threads that the run keeps busy */
    uint64_t load_thousandths; /* see struct machine_state */
    /* How far the times of equal pieces of work differ, see noise_measure_spread. */
    uint64_t spread_ppm;
    const char *governor; /* "" where unknown */
    /* Shares that other processes, and other machines on the same host, took. */
    uint64_t others_ppm, stolen_ppm;
    bool throttled;
};

/* Appends a sentence for each reason not to trust times, separated by "; ". */
void noise_describe(const struct noise_facts *facts, struct text *reasons);

/* Measures how far the times of equal pieces of work differ: (90th percentile - least) / least, in
   millionths. Takes about a twentieth of a second. */
uint64_t noise_measure_spread(void);

/* Fills in the shares of processor time between two states of the machine; own_ns of that time was
   this program's. */
void noise_find_shares(const struct machine_state *before, const struct machine_state *after,
                       uint64_t own_ns, struct noise_facts *facts);

/* Processor time of this program and of the processes that it has waited for. */
uint64_t noise_own_ns(void);

#endif
