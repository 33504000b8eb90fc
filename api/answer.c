#include "api/answer.h"

#include <stdio.h>
#include <string.h>

#include "core/utf8.h"

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Copies the structures, which begin with their size, and checks them.
   `what` names the given one. */
static enum status begin(const void *given, const char *what, void *copy, size_t copy_bytes,
                         const struct memplan_answer *answer, struct api_call *call)
{
    size_t given_bytes = 0;
    if (given)
        memcpy(&given_bytes, given, sizeof given_bytes);
    if (given)
        memcpy(copy, given, smaller(given_bytes, copy_bytes));
    if (answer)
        memcpy(&call->answer, answer, smaller(answer->struct_bytes, sizeof *answer));
    call->answer.message[0] = '\0';
    call->answer.lower_bound_bytes = call->answer.peak_bytes = 0;
    call->answer.first = call->answer.second = call->answer.step = MEMPLAN_NOBODY;
    if (!given || !answer)
        return error_set(&call->error, STATUS_BAD_INPUT, "found no %s, expected one",
                         given ? "answer" : what);
    if (!given_bytes || !answer->struct_bytes)
        return error_set(&call->error, STATUS_BAD_INPUT,
                         "found a struct_bytes of 0 in the %s, expected the size of the structure",
                         given_bytes ? "answer" : what);
    if (!call->answer.offset)
        return error_set(&call->error, STATUS_BAD_INPUT, "found no array offset, expected one");
    return STATUS_OK;
}

enum status api_call_begin_problem(const struct memplan_problem *problem,
                                   const struct memplan_answer *answer, struct api_call *call)
{
    *call = (struct api_call){.result = MEMPLAN_FAILED, .error = ERROR_NONE};
    return begin(problem, "problem", &call->problem, sizeof call->problem, answer, call);
}

enum status api_call_begin_graph(const struct memplan_graph *graph,
                                 const struct memplan_answer *answer, struct api_call *call)
{
    *call = (struct api_call){.result = MEMPLAN_FAILED, .error = ERROR_NONE};
    return begin(graph, "graph", &call->graph, sizeof call->graph, answer, call);
}

enum status api_copy_in(const void *given, const char *what, void *copy, size_t copy_bytes,
                        struct error *error)
{
    size_t struct_bytes = 0;
    if (!given)
        return error_set(error, STATUS_BAD_INPUT, "found no %s, expected one", what);
    memcpy(&struct_bytes, given, sizeof struct_bytes);
    if (!struct_bytes)
        return error_set(error, STATUS_BAD_INPUT,
                         "found a struct_bytes of 0 in the %s, expected the size of the structure",
                         what);
    memcpy(copy, given, smaller(struct_bytes, copy_bytes));
    return STATUS_OK;
}

enum status api_read_json(const char *json, size_t bytes, struct text *text, struct error *error)
{
    if (!json)
        return error_set(error, STATUS_BAD_INPUT, "found no text json, expected one");
    text_append_bytes(text, json, bytes ? bytes : strlen(json));
    return text_check(text, error);
}

enum status api_refuse_json(const struct error *found, struct error *error)
{
    if (error_is_no_memory(found))
        return error_no_memory(error);
    return found->line ? error_set(error, STATUS_BAD_INPUT, "json:%u: %s", found->line, found->text)
                       : error_set(error, STATUS_BAD_INPUT, "%s", found->text);
}

enum memplan_result api_end(const struct api_reply *reply, enum status status, void *given)
{
    const struct error *error = reply->error;
    enum memplan_result result = reply->result;
    if (status) {
        result = error_is_no_memory(error)                              ? MEMPLAN_NO_MEMORY
                 : status == STATUS_USAGE || status == STATUS_BAD_INPUT ? MEMPLAN_BAD_INPUT
                                                                        : MEMPLAN_FAILED;
        snprintf(reply->message, reply->message_bytes, "%.*s", (int)reply->message_bytes - 1,
                 error->text);
    }
    utf8_make_printable(reply->message, reply->message_bytes);
    if (!given)
        return result;
    size_t struct_bytes;
    memcpy(&struct_bytes, given, sizeof struct_bytes);
    memcpy(given, reply->copy, smaller(struct_bytes, reply->copy_bytes));
    memcpy(given, &struct_bytes, sizeof struct_bytes);
    return result;
}

enum memplan_result api_call_end(struct api_call *call, enum status status,
                                 struct memplan_answer *answer)
{
    return API_END(call, answer, status, answer);
}
