#ifndef MEMPLAN_API_ANSWER_H
#define MEMPLAN_API_ANSWER_H

#include "core/error.h"
#include "core/text.h"
#include "memplan/memplan.h"

/* A call of the library: copies of the caller's structures. Where these are of an older version,
   the fields that they lack are zero in the copies. */
struct api_call {
    struct memplan_problem problem; /* one of these two */
    struct memplan_graph graph;
    struct memplan_answer answer;
    enum memplan_result result;
    struct error error;
};

/* STATUS_BAD_INPUT where the caller gave none, no answer, or no array for the offsets. */
enum status api_call_begin_problem(const struct memplan_problem *problem,
                                   const struct memplan_answer *answer, struct api_call *call);
enum status api_call_begin_graph(const struct memplan_graph *graph,
                                 const struct memplan_answer *answer, struct api_call *call);

/* Copies the answer into the fields that the caller's structure has, and returns the result. Where
   the call failed, the result is the one for its status, and the message is the text of the error,
   cut where it is too long. */
enum memplan_result api_call_end(struct api_call *call, enum status status,
                                 struct memplan_answer *answer);

/* The text of the caller's JSON, up to its first NUL where bytes is 0; STATUS_BAD_INPUT where there
   is none. What a reader of it refuses becomes an error without a file, so that the line is part of
   the text. */
enum status api_read_json(const char *json, size_t bytes, struct text *text, struct error *error);
enum status api_refuse_json(const struct error *found, struct error *error);

/* The parts of it that other calls use. The result for a status, `result` where it is STATUS_OK;
   else the text of the error becomes the message. */
enum memplan_result api_judge(enum memplan_result result, enum status status,
                              const struct error *error, char *message, size_t room);
/* Copies a structure of the caller, which begins with its size; what it lacks stays as it is in the
   copy. STATUS_BAD_INPUT where it is NULL or says no size. */
enum status api_copy_in(const void *given, const char *what, void *copy, size_t copy_bytes,
                        struct error *error);
/* Copies a structure back into the caller's, which begins with its size and may be of another
   version. */
void api_copy_back(const void *copy, size_t copy_bytes, void *given);

#endif
