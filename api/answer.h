#ifndef MEMPLAN_API_ANSWER_H
#define MEMPLAN_API_ANSWER_H

#include "core/error.h"
#include "memplan/types.h"

/* The caller's structure with zeros for the fields that it does not have, and back: those that it
   has. */
struct memplan_answer answer_copy(const struct memplan_answer *given);
void answer_return(const struct memplan_answer *answer, struct memplan_answer *given);

/* The result of a call that failed, whose text becomes the message, cut to its room. */
enum memplan_result answer_fail(enum status status, const struct error *error,
                                struct memplan_answer *answer);

#endif
