#include "dma/modes/modes.h"

#include <assert.h>
#include <string.h>

#include "core/text.h"

#define TRANSFER_MODE(name) extern const struct transfer_mode transfer_mode_##name;
#include "dma/modes/modes.def"
#undef TRANSFER_MODE

static const struct transfer_mode *const modes[] = {
#define TRANSFER_MODE(name) &transfer_mode_##name,
#include "dma/modes/modes.def"
#undef TRANSFER_MODE
};

uint32_t transfer_modes_count(void)
{
    return sizeof modes / sizeof *modes;
}

const struct transfer_mode *transfer_modes_at(uint32_t index)
{
    assert(index < transfer_modes_count());
    return modes[index];
}

enum status transfer_modes_find(const char *name, const struct transfer_mode **mode,
                                struct error *error)
{
    struct text known = {0};
    for (uint32_t i = 0; i < transfer_modes_count(); i++) {
        *mode = modes[i];
        if (strcmp(modes[i]->name, name) == 0) {
            text_free(&known);
            return STATUS_OK;
        }
        text_append(&known, "%s%s", i ? ", " : "", modes[i]->name);
    }
    error_set(error, STATUS_USAGE, "no mode '%s', expected one of: %s", name,
              known.bytes ? known.bytes : "");
    text_free(&known);
    return STATUS_USAGE;
}

enum status transfer_modes_build(const struct transfer_mode *mode, const struct transfer_task *task,
                                 struct transfer_program **program, struct error *error)
{
    if (mode->takes_buffers && (!task->buffers || task->buffers > TRANSFER_MOST_BUFFERS))
        return error_set(error, STATUS_USAGE, "%u buffers, expected 1 to %d", task->buffers,
                         TRANSFER_MOST_BUFFERS);
    return mode->build(task, program, error);
}
