#ifndef MEMPLAN_HARNESS_NOISE_H
#define MEMPLAN_HARNESS_NOISE_H

#include "core/text.h"
#include "harness/machine.h"

/* Whether times that are measured now can be trusted: what else the machine does, and what it does
   to its own clock rate. */

/* What is known at the start or at the end of a run. A share is of all processors' time, in
   millionths. */
struct noise_facts {
    uint32_t threads;                /* that the run keeps busy */
    uint64_t load_thousandths;       /* see struct machine_state */
    uint64_t spread_ppm;             /* of equal pieces of work, see noise_measure_spread */
    const char *governor;            /* "" where unknown */
    uint64_t others_ppm, stolen_ppm; /* time that other processes, and other machines, took */
    bool throttled;
};

/* Appends a sentence for each reason not to trust times, separated by "; ". */
void noise_describe(const struct noise_facts *facts, struct text *reasons);

/* How far apart the times of equal pieces of work lie: (90th percentile - least) / least, in
   millionths. Takes about a twentieth of a second. */
uint64_t noise_measure_spread(void);

/* Fills the shares of processor time between two looks at the machine, of which own_ns was this
   program's. */
void noise_find_shares(const struct machine_state *before, const struct machine_state *after,
                       uint64_t own_ns, struct noise_facts *facts);

/* Processor time of this program and of the processes that it has waited for. */
uint64_t noise_own_ns(void);

#endif
