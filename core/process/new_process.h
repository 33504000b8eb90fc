#ifndef MEMPLAN_CORE_PROCESS_NEW_PROCESS_H
#define MEMPLAN_CORE_PROCESS_NEW_PROCESS_H

#include <stdio.h>
#include <stdnoreturn.h>
#include <sys/types.h>

#include "core/process/subprocess_task.h"

/* What happens in a process right after it was forked for a task (subprocess.h). */

/* What the new process gets; closed on this side once it has started. */
struct new_process_ends {
    FILE *input;
    int answer, complaints;
};

/* What is reported of a program: the forked process that could not become the program reports why,
   and the process that watches over the program reports how it ended. */
struct new_process_report {
    int start_errno;
    int ended; /* as from waitpid */
};

/* Does the task with these ends and never returns: runs the task's function, or becomes the leader
   that watches over the task's program. Where the parent dies, it and all that it started end (on
   Linux). What it does for a program is safe after fork in a process with threads. */
noreturn void new_process_become(const struct subprocess_task *task,
                                 const struct new_process_ends *handed, pid_t parent);

#endif
