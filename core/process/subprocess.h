#ifndef MEMPLAN_CORE_PROCESS_SUBPROCESS_H
#define MEMPLAN_CORE_PROCESS_SUBPROCESS_H

#include <sys/types.h>

#include "core/process/subprocess_task.h"
#include "core/text.h"

/* A process that this one starts, feeds, watches until it ends or its time is up, and reaps. It is
   either a copy of this process that runs a function (fork) or a program (exec). It leads a process
   group of its own; what is left of the group when it ends is killed. On Linux, all that a program
   has started is killed too, in whatever group it is. When this process dies, on Linux the new
   process dies too. So does all that it has started, if it is a program or a function that watches
   over others. */

enum { SUBPROCESS_COMPLAINT_BYTES = 600 };

/* A process that was started and is not finished. The struct may be moved in memory. */
struct subprocess {
    pid_t leader; /* of its group: the copy, or the process that watches over the program */
    int answer, complaints; /* ends of pipes; answer ends when the process does, complaints is -1
                               once nothing more can come */
    uint64_t began_ns, deadline_ns;
    bool is_program, watches, killed;
    bool ended;                            /* the last wait found that it has ended, or killed it */
    struct text received;                  /* from answer so far */
    char tail[SUBPROCESS_COMPLAINT_BYTES]; /* [tail_bytes] the end of its complaints so far */
    size_t tail_bytes;
};

struct subprocess_result {
    bool out_of_time;                           /* it was killed at its deadline */
    int start_errno;                            /* why the program could not be started, or 0 */
    int signal;                                 /* that ended it, or 0 */
    int exit_code;                              /* where signal is 0 */
    char complaint[SUBPROCESS_COMPLAINT_BYTES]; /* on one line; begins with ... where it was cut */
    struct text answer; /* of a function, as far as it came; the caller frees it */
};

/* A function needs a process without other threads unless it calls only what is safe then; a
   program may be started by several threads. */
enum status subprocess_start(const struct subprocess_task *task, struct subprocess *process,
                             struct error *error);

/* Waits until one of count processes (at least one) has ended or was killed at its deadline; *ended
   is its index. */
enum status subprocess_wait_for_one(struct subprocess *const *process, uint32_t count,
                                    uint32_t *ended, struct error *error);

/* Waits until one of them has sent something (received has grown) or has ended (ended is set), but
   not beyond the deadline. It may also return after a while without either. The caller may take
   bytes from the start of received. */
enum status subprocess_wait_for_news(struct subprocess *const *process, uint32_t count,
                                     uint64_t deadline_ns, struct error *error);

/* Reaps a process that has ended. Where it fails nothing is left to free. */
enum status subprocess_finish(struct subprocess *process, struct subprocess_result *result,
                              struct error *error);

/* Kills the process and forgets what it sent. */
void subprocess_cancel(struct subprocess *process);

/* Starts a process, waits for it and finishes it. */
enum status subprocess_run(const struct subprocess_task *task, struct subprocess_result *result,
                           struct error *error);

#endif
