#ifndef MEMPLAN_CORE_PROCESS_ENDING_H
#define MEMPLAN_CORE_PROCESS_ENDING_H

#include "core/process/subprocess.h"

/* Why a process that ran a function (subprocess.h) ended without its answer. */

enum ending_kind {
    ENDING_TIME,     /* it was killed at its deadline */
    ENDING_MEMORY,   /* the system killed it for want of memory */
    ENDING_CRASH,    /* it crashed, or called exit */
    ENDING_SOMEBODY, /* another process killed it, so neither it nor its limits are at fault */
};

struct ending {
    enum ending_kind kind;
    char reason[128]; /* for users */
};

/* How often the system has killed a process for want of memory; UINT64_MAX where it does not say. A
   process that is killed then counts as killed for want of memory. */
uint64_t ending_memory_kills(void);

/* memory_kills is ending_memory_kills at some time before the process started. */
struct ending ending_judge(const struct subprocess_result *result, uint64_t memory_kills);

#endif
