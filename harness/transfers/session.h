#ifndef MEMPLAN_HARNESS_TRANSFERS_SESSION_H
#define MEMPLAN_HARNESS_TRANSFERS_SESSION_H

#include "harness/transfers/planned.h"

/* What a request comes to: how long the graph runs, and what it needs on the chip. */
struct transfer_session {
    struct transfer_run run;
    struct planned_front *front; /* of a mode in the arena, else NULL */
    uint64_t arena_bytes;        /* the tensors; in the arena the weights too */
    uint64_t on_chip_bytes;      /* the arena and the buffers beside it */
};

/* Fills *session, which is cleared by the caller, also after an error; what the request refers to
   has to outlive it. Of a mode in the arena the fastest point within the capacity is taken:
   STATUS_NO where there is none, STATUS_USAGE for a policy other than flat. For other modes the
   arena is planned by itself and may exceed the capacity. */
enum status transfer_session_fill(const struct transfer_request *request,
                                  struct transfer_session *session, struct error *error);
void transfer_session_clear(struct transfer_session *session);

/* STATUS_NO where the session needs more on the chip than the request's capacity. */
enum status transfer_session_fits(const struct transfer_request *request,
                                  const struct transfer_session *session, struct error *error);

#endif
