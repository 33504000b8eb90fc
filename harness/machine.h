#ifndef MEMPLAN_HARNESS_MACHINE_H
#define MEMPLAN_HARNESS_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* The machine a run is made on, as far as a Linux kernel tells. A text is "" and a number 0 where
   it does not. */

struct machine {
    char host[256], cpu[128], kernel[160];
    char governor[32]; /* of the clock rate; "mixed" where processors differ */
    char turbo[4];     /* "on", "off" */
    uint64_t cores;    /* processors that are switched on */
    uint64_t memory_bytes;
};

/* What changes while the machine works. */
struct machine_state {
    uint64_t load_thousandths; /* processes that ran or waited, mean over the last minute */
    uint64_t throttle_events;  /* how often a processor was slowed down for its heat, ever */
    bool tells_throttle;
    uint64_t all_ns, busy_ns, stolen_ns; /* processor time since the start, of all processors;
                                            stolen: that the host gave to other machines */
};

/* root: the folder that holds proc and sys, "" on a real machine. */
void machine_describe(const char *root, struct machine *machine);
void machine_look(const char *root, struct machine_state *state);

#endif
