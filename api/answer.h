#ifndef MEMPLAN_API_ANSWER_H
#define MEMPLAN_API_ANSWER_H

#include "core/error.h"
#include "memplan/types.h"

/* answer_copy copies the caller's structure, which may be of an older version, and puts zeros into
   the fields that it does not have. answer_return copies back those fields that it has. */
struct memplan_answer answer_copy(const struct memplan_answer *given);
void answer_return(const struct memplan_answer *answer, struct memplan_answer *given);

/* The result of a call that failed. The text of the error becomes the message, cut where it is too
   long. */
enum memplan_result answer_fail(enum status status, const struct error *error,
                                struct memplan_answer *answer);

#endif
