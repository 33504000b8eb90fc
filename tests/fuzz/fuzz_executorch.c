#include "datasets/executorch/executorch.h"
#include "fuzzing.h"

/* A program is refused, or its problem has a carried offset for each buffer, inside the arena. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    SCOPED(carried_clear) struct carried carried = {0};
    const struct carried_choice any = {.memory = CARRIED_ANY};
    struct error error = ERROR_NONE;
    enum status status = executorch_read(&text, "input", &any, &carried, &error);
    if (status) {
        fuzzing_check_refusal(status, &error);
        return 0;
    }
    for (uint32_t b = 0; b < carried.problem->buffers; b++)
        fuzzing_require(carried.offset[b] + carried.problem->size[b] <= carried.arena_bytes);
    return 0;
}
