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

/* Copies what the caller gave. STATUS_BAD_INPUT where the problem or graph, the answer, or its
   array for the offsets is missing. */
enum status api_call_begin_problem(const struct memplan_problem *problem,
                                   const struct memplan_answer *answer, struct api_call *call);
enum status api_call_begin_graph(const struct memplan_graph *graph,
                                 const struct memplan_answer *answer, struct api_call *call);

/* Copies the answer into the fields that the caller's structure has, and returns the result. Where
   the call failed, the result is the one for its status, and the message is the text of the error,
   cut where it is too long. */
enum memplan_result api_call_end(struct api_call *call, enum status status,
                                 struct memplan_answer *answer);

/* Copies the caller's JSON, up to its first NUL where bytes is 0; STATUS_BAD_INPUT where there is
   none. api_refuse_json makes the error of the reader of that text one that the caller understands:
   it names no file, and the line is part of the text. */
enum status api_read_json(const char *json, size_t bytes, struct text *text, struct error *error);
enum status api_refuse_json(const struct error *found, struct error *error);

/* Copies a structure of the caller, which begins with its size; fields that it lacks stay as they
   are in the copy. STATUS_BAD_INPUT where it is NULL or its size is 0. */
enum status api_copy_in(const void *given, const char *what, void *copy, size_t copy_bytes,
                        struct error *error);
/* Ends a call: its result is `result` where the status is STATUS_OK; otherwise the one for the
   status, and the text of the error becomes the message. `copy` goes back into the caller's
   structure, which begins with its size and may be of another version or NULL. */
struct api_reply {
    enum memplan_result result;
    const struct error *error;
    void *copy;
    size_t copy_bytes;
    char *message; /* in the copy */
    size_t message_bytes;
};
enum memplan_result api_end(const struct api_reply *reply, enum status status, void *given);
/* The same for a call with a result, an error, and the copy in the member `shown`. */
#define API_END(call, shown, status, given)                                                        \
    api_end(&(struct api_reply){(call)->result, &(call)->error, &(call)->shown,                    \
                                sizeof(call)->shown, (call)->shown.message,                        \
                                sizeof(call)->shown.message},                                      \
            status, given)

#endif
