#ifndef MEMPLAN_HARNESS_TRANSFERS_SESSION_H
#define MEMPLAN_HARNESS_TRANSFERS_SESSION_H

#include "harness/transfers/planned.h"

/* The result of a request: how long the graph runs, and how much memory it needs on the chip. */
struct transfer_session {
    struct transfer_run run;
    struct planned_front *front; /* for a mode in the arena, else NULL */
    uint64_t arena_bytes;   /* bytes of the tensors; for a mode in the arena of the weights too */
    uint64_t on_chip_bytes; /* bytes of the arena and of the buffers beside it */
};

/* Fills *session, which is cleared by the caller, also after an error; everything to which the
   request refers has to outlive it. For a mode in the arena the fastest point within the capacity
   is taken: STATUS_NO where there is none, STATUS_USAGE for a policy other than flat. For other
   modes the arena is planned by itself and may exceed the capacity. */
enum status transfer_session_fill(const struct transfer_request *request,
                                  struct transfer_session *session, struct error *error);
void transfer_session_clear(struct transfer_session *session);

/* STATUS_NO where the session needs more on the chip than the request's capacity. */
enum status transfer_session_fits(const struct transfer_request *request,
                                  const struct transfer_session *session, struct error *error);

#endif
