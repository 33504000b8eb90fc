#include "dma/modes/modes.h"

#include <string.h>

#include "core/rows.h"

#define TRANSFER_MODE(name) extern const struct transfer_mode transfer_mode_##name;
#include "dma/modes/modes.def"
#undef TRANSFER_MODE

static const struct transfer_mode *const modes[] = {
#define TRANSFER_MODE(name) &transfer_mode_##name,
#include "dma/modes/modes.def"
#undef TRANSFER_MODE
};

ROWS_DEFINE_POINTERS(transfer_modes, struct transfer_mode, modes);
ROWS_DEFINE_NAME(transfer_modes);

enum status transfer_modes_find(const char *name, const struct transfer_mode **mode,
                                struct error *error)
{
    uint32_t index = rows_find(name, transfer_modes_count(), transfer_modes_name);
    if (index == transfer_modes_count())
        return rows_refuse(
            &(struct rows_kind){"mode", "memplan list modes", NULL, index, transfer_modes_name},
            name, strlen(name), error);
    *mode = modes[index];
    return STATUS_OK;
}

enum status transfer_modes_build(const struct transfer_mode *mode, const struct transfer_task *task,
                                 struct transfer_program **program, struct error *error)
{
    if (mode->takes_buffers && (!task->buffers || task->buffers > TRANSFER_MOST_BUFFERS))
        return error_set(error, STATUS_USAGE, "%u buffers, expected 1 to %d", task->buffers,
                         TRANSFER_MOST_BUFFERS);
    return mode->build(task, program, error);
}
