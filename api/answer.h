#ifndef MEMPLAN_API_ANSWER_H
#define MEMPLAN_API_ANSWER_H

#include "core/error.h"
#include "memplan/types.h"

/* A call of the library: copies of the caller's structures, which may be of an older version. The
   fields that they do not have are zero. */
struct api_call {
    struct memplan_problem problem;
    struct memplan_answer answer;
    enum memplan_result result;
    struct error error;
};

/* STATUS_BAD_INPUT where the caller gave no problem, no answer, or no array for the offsets. */
enum status api_call_begin(const struct memplan_problem *problem,
                           const struct memplan_answer *answer, struct api_call *call);

/* Copies the answer back into those fields that the caller's has, and returns the result. Where the
   call failed that is the result for its status, and the text of the error is the message, cut
   where it is too long. */
enum memplan_result api_call_end(struct api_call *call, enum status status,
                                 struct memplan_answer *answer);

#endif
