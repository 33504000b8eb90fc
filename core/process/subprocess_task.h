#ifndef MEMPLAN_CORE_PROCESS_SUBPROCESS_TASK_H
#define MEMPLAN_CORE_PROCESS_SUBPROCESS_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a process that is started (subprocess.h) is to do, and what its function may call. */

enum {
    SUBPROCESS_NOTHING = -1, /* the stream reads or writes /dev/null */
    SUBPROCESS_KEPT = -2,    /* the end of what is written becomes result.complaint */
};

/* Runs in the copy and sends its answer by subprocess_send. Returns the exit code. The copy has
   none of this process's descriptors but the standard ones and what it is told to keep, and leaves
   without the exit handlers of this process and without flushing its streams but stdout. */
typedef int subprocess_function(const void *context, int answer);

/* Cleans up behind a program that was killed or whose starter has died. It runs in a process of its
   own, once the program is dead. */
typedef void subprocess_cleaner(const void *context);

/* Either function or words is set. All that it points to is borrowed until subprocess_start
   returns. */
struct subprocess_task {
    subprocess_function *function;
    char *const *words;        /* the program words[0], looked up in PATH; ends in NULL */
    subprocess_cleaner *clean; /* of a program; NULL for none */
    const void *context;       /* of function or clean */
    const char *input;         /* what it reads from standard input; NULL for nothing */
    int output;                /* descriptor that becomes standard output, or SUBPROCESS_NOTHING */
    int errors;                /* the same of standard error, or SUBPROCESS_KEPT */
    uint64_t deadline_ns;      /* as clock_deadline_ns; it is killed then */
    uint64_t memory_limit_bytes; /* of a function, on top of what this process holds; 0 for none */
    unsigned cpu_limit_s;        /* of a function; 0 for none */
    int kept;     /* a descriptor that a function keeps beside its answer; 0 for none */
    bool watches; /* of a function: it starts others, adopts what these leave behind and should end
                     it (core/process/descendants.h); SIGTERM ends it with all of them */
};

/* Whether memory_limit_bytes does anything: not in a build whose sanitizer needs all addresses
   there are. */
bool subprocess_can_limit_memory(void);

/* For a function: sends all of the bytes. False where the other end of the pipe is closed. */
bool subprocess_send(int answer, const void *bytes, size_t length);

#endif
