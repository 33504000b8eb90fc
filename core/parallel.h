#ifndef MEMPLAN_CORE_PARALLEL_H
#define MEMPLAN_CORE_PARALLEL_H

#include <stdint.h>

/* Calls work(context, i) once for each i in [0, count): the calls begin in ascending order, up to
   `threads` of them run at once, and all have ended when parallel_run returns. The calling thread
   takes part, so that where no other thread can be started it does all of the work: there is
   nothing that can fail. More threads than there are calls, or than PARALLEL_MOST, are not started.
   None outlives the call. */
enum { PARALLEL_MOST = 256 };
void parallel_run(uint32_t threads, uint32_t count, void (*work)(void *context, uint32_t i),
                  void *context);

#endif
