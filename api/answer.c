#include "api/answer.h"

#include <stdio.h>
#include <string.h>

#include "core/utf8.h"

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

enum status api_call_begin(const struct memplan_problem *problem,
                           const struct memplan_answer *answer, struct api_call *call)
{
    *call = (struct api_call){.result = MEMPLAN_FAILED, .error = ERROR_NONE};
    if (problem)
        memcpy(&call->problem, problem, smaller(problem->struct_bytes, sizeof *problem));
    if (answer)
        memcpy(&call->answer, answer, smaller(answer->struct_bytes, sizeof *answer));
    call->answer.message[0] = '\0';
    call->answer.lower_bound_bytes = call->answer.peak_bytes = 0;
    if (!problem || !answer)
        return error_set(&call->error, STATUS_BAD_INPUT, "found no %s, expected one",
                         problem ? "answer" : "problem");
    if (!problem->struct_bytes || !answer->struct_bytes)
        return error_set(&call->error, STATUS_BAD_INPUT,
                         "found struct_bytes of 0 in the %s, expected sizeof of the structure",
                         problem->struct_bytes ? "answer" : "problem");
    if (!call->answer.offset)
        return error_set(&call->error, STATUS_BAD_INPUT, "found no array offset, expected one");
    return STATUS_OK;
}

enum memplan_result api_call_end(struct api_call *call, enum status status,
                                 struct memplan_answer *answer)
{
    char *message = call->answer.message;
    const size_t room = sizeof call->answer.message;
    if (status) {
        call->result = error_is_no_memory(&call->error)                       ? MEMPLAN_NO_MEMORY
                       : status == STATUS_USAGE || status == STATUS_BAD_INPUT ? MEMPLAN_BAD_INPUT
                                                                              : MEMPLAN_FAILED;
        snprintf(message, room, "%.*s", (int)room - 1, call->error.text);
    }
    utf8_make_printable(message, room);
    if (!answer)
        return call->result;
    size_t struct_bytes = answer->struct_bytes;
    memcpy(answer, &call->answer, smaller(struct_bytes, sizeof *answer));
    answer->struct_bytes = struct_bytes;
    return call->result;
}
