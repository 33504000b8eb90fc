#ifndef MEMPLAN_TESTS_FUZZ_CARRIED_PLAN_H
#define MEMPLAN_TESTS_FUZZ_CARRIED_PLAN_H

#include "datasets/carried/carried.h"
#include "fuzzing.h"

/* A file that may carry a plan is refused, or it carries none, or its problem has an offset for
   each buffer, inside the arena. */
typedef enum status carried_read(const struct text *text, const char *file,
                                 const struct carried_choice *choice, struct carried *carried,
                                 struct error *error);
static inline int carried_plan_check(carried_read *read, const uint8_t *data, size_t size)
{
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    SCOPED(carried_clear) struct carried carried = {0};
    const struct carried_choice any = {.memory = CARRIED_ANY};
    struct error error = ERROR_NONE;
    enum status status = read(&text, "input", &any, &carried, &error);
    if (status) {
        fuzzing_check_refusal(status, &error);
        return 0;
    }
    for (uint32_t b = 0; carried.problem && b < carried.problem->buffers; b++)
        fuzzing_require(carried.offset[b] + carried.problem->size[b] <= carried.arena_bytes);
    return 0;
}

#endif
