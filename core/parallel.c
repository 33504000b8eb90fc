#include "core/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct share {
    void (*work)(void *context, uint32_t i);
    void *context;
    uint32_t count;
    _Atomic uint64_t next; /* the first call that no thread has taken */
};

static void *take_part(void *shared)
{
    struct share *share = shared;
    for (uint64_t i; (i = atomic_fetch_add(&share->next, 1)) < share->count;)
        share->work(share->context, (uint32_t)i);
    return NULL;
}

void parallel_run(uint32_t threads, uint32_t count, void (*work)(void *context, uint32_t i),
                  void *context)
{
    struct share share = {.work = work, .context = context, .count = count};
    pthread_t helper[PARALLEL_MOST - 1];
    uint32_t helpers = 0;
    threads = threads < count ? threads : count;
    threads = threads < PARALLEL_MOST ? threads : PARALLEL_MOST;
    while (helpers + 1 < threads && pthread_create(&helper[helpers], NULL, take_part, &share) == 0)
        helpers++;
    take_part(&share);
    while (helpers)
        pthread_join(helper[--helpers], NULL);
}
