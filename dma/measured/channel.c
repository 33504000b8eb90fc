#include "dma/measured/channel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/memory.h"

enum { MOST_WAITING = 1024, PATIENCE_NS = 50000, ASKS = 256 };

struct transfer {
    void *to;
    const void *from;
    size_t bytes;
};

struct channel {
    pthread_t thread;
    struct transfer transfer[MOST_WAITING]; /* transfer number n is at n % MOST_WAITING */
    _Atomic uint64_t started, ended;
    atomic_bool closing;
    uint64_t patience_ns;
};

/* Waits until *counter is above value and returns true, or until the channel closes and returns
   false. At first it polls without a pause; only after a while it yields the processor, since on a
   busy machine it would get the processor back milliseconds later. */
static bool wait_above(struct channel *channel, _Atomic uint64_t *counter, uint64_t value)
{
    uint64_t end_ns = clock_deadline_ns(channel->patience_ns);
    for (;;) {
        for (int i = 0; i < ASKS; i++)
            if (atomic_load(counter) > value)
                return true;
        if (atomic_load(&channel->closing))
            return false;
        if (!clock_left_ns(end_ns))
            sched_yield();
    }
}

static void *carry(void *context)
{
    struct channel *channel = context;
    for (uint64_t number = 0; wait_above(channel, &channel->started, number); number++) {
        const struct transfer *transfer = &channel->transfer[number % MOST_WAITING];
        memcpy(transfer->to, transfer->from, transfer->bytes);
        atomic_store(&channel->ended, number + 1);
    }
    return NULL;
}

enum status channel_open(struct channel **opened, struct error *error)
{
    struct channel *channel;
    TRY(memory_create(&channel, 1, sizeof *channel, error));
    channel->patience_ns = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? PATIENCE_NS : 0;
    if (pthread_create(&channel->thread, NULL, carry, channel) != 0) {
        memory_free(channel);
        return error_set(error, STATUS_INTERNAL, "cannot start a thread");
    }
    *opened = channel;
    return STATUS_OK;
}

void channel_close(struct channel *channel)
{
    if (!channel)
        return;
    uint64_t started = atomic_load(&channel->started);
    if (started)
        channel_wait(channel, started - 1);
    atomic_store(&channel->closing, true);
    pthread_join(channel->thread, NULL);
    memory_free(channel);
}

uint64_t channel_start(struct channel *channel, void *to, const void *from, size_t bytes)
{
    uint64_t number = atomic_load(&channel->started);
    if (number >= MOST_WAITING)
        channel_wait(channel, number - MOST_WAITING);
    channel->transfer[number % MOST_WAITING] = (struct transfer){to, from, bytes};
    atomic_store(&channel->started, number + 1);
    return number;
}

void channel_wait(struct channel *channel, uint64_t transfer)
{
    wait_above(channel, &channel->ended, transfer);
}
