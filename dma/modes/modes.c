#include "dma/modes/modes.h"

#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "dma/modes/builders.h"

/* To add a mode: its file, its declaration in dma/modes/builders.h and a row here. */
static const struct transfer_mode modes[] = {
    {"sync", "load, then compute, one after the other; one buffer", false, false, mode_build_sync},
    {"pingpong", "load the next weights into the other of two buffers while computing", false,
     false, mode_build_pingpong},
    {"cross_region",
     "pingpong that also loads the first weights of the region that is likely to follow", false,
     false, mode_build_cross_region},
    {"ring", "load up to --buffers - 1 weights ahead", true, false, mode_build_ring},
    {"planned", "load into the arena, planned with the tensors; when is chosen for each weight",
     false, true, mode_build_planned},
};

uint32_t transfer_modes_count(void)
{
    return sizeof modes / sizeof *modes;
}

const struct transfer_mode *transfer_modes_at(uint32_t index)
{
    return &modes[index];
}

enum status transfer_modes_find(const char *name, const struct transfer_mode **mode,
                                struct error *error)
{
    struct text known = {0};
    for (uint32_t i = 0; i < transfer_modes_count(); i++) {
        *mode = &modes[i];
        if (strcmp(modes[i].name, name) == 0) {
            text_free(&known);
            return STATUS_OK;
        }
        text_append(&known, "%s%s", i ? ", " : "", modes[i].name);
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
