#include "api/answer.h"

#include <stdio.h>
#include <string.h>

static size_t count_bytes(const struct memplan_answer *given)
{
    return given->struct_bytes < sizeof *given ? given->struct_bytes : sizeof *given;
}

struct memplan_answer answer_copy(const struct memplan_answer *given)
{
    struct memplan_answer copy = {0};
    memcpy(&copy, given, count_bytes(given));
    return copy;
}

void answer_return(const struct memplan_answer *answer, struct memplan_answer *given)
{
    size_t struct_bytes = given->struct_bytes;
    memcpy(given, answer, count_bytes(given));
    given->struct_bytes = struct_bytes;
}

enum memplan_result answer_fail(enum status status, const struct error *error,
                                struct memplan_answer *answer)
{
    snprintf(answer->message, sizeof answer->message, "%.*s", (int)sizeof answer->message - 1,
             error->text);
    if (error_is_no_memory(error))
        return MEMPLAN_NO_MEMORY;
    return status == STATUS_USAGE || status == STATUS_BAD_INPUT ? MEMPLAN_BAD_INPUT
                                                                : MEMPLAN_FAILED;
}
