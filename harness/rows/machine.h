#ifndef MEMPLAN_HARNESS_ROWS_MACHINE_H
#define MEMPLAN_HARNESS_ROWS_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* The machine on which a run is made, as the Linux kernel describes it. A text is "" and a number 0
   where it is unknown. */

struct machine {
    char host[256], cpu[128], kernel[160];
    /* The governor of the clock rate; "mixed" where processors have different ones. */
    char governor[32];
    char turbo[4];  /* "on" or "off" */
    uint64_t cores; /* processors that are switched on */
    uint64_t memory_bytes;
};

/* What changes while the machine works. */
struct machine_state {
    uint64_t load_thousandths; /* processes that ran or waited, as a mean over the last minute */
    /* How often a processor has been slowed down because of its temperature. */
    uint64_t throttle_events;
    bool tells_throttle;
    /* Time of all processors since the start of the machine; stolen_ns is the time that the host
       gave to other machines. */
    uint64_t all_ns, busy_ns, stolen_ns;
};

/* Describe the machine and its present state. root is the folder that holds proc and sys, "" on a
   real machine. */
void machine_describe(const char *root, struct machine *machine);
void machine_look(const char *root, struct machine_state *state);

#endif
