/* Rules that keep buffers as they are: in another order, or not all of them. */

#include "core/memory.h"
#include "datasets/perturb/perturb.h"
#include "planning/problem/copy.h"

static enum status shuffle(struct perturb_task *task, struct problem *made, struct error *error)
{
    uint32_t buffers = task->problem->buffers;
    SCOPED(memory_release) uint32_t *order = NULL;
    TRY(memory_create(&order, buffers, sizeof *order, error));
    for (uint32_t i = 0; i < buffers; i++)
        order[i] = i;
    random_shuffle(&task->random, order, buffers);
    for (uint32_t i = 0; i < buffers; i++)
        TRY(problem_add_copy(made, task->problem, order[i], error));
    return STATUS_OK;
}

/* Drops random buffers. Where that would leave none the last buffer stays, since a problem must
   have one. */
static enum status thin(struct perturb_task *task, struct problem *made, struct error *error)
{
    uint32_t buffers = task->problem->buffers;
    for (uint32_t b = 0; b < buffers; b++) {
        bool stays = random_below(&task->random, 100) >= task->value[0];
        if (stays || (b + 1 == buffers && !made->buffers))
            TRY(problem_add_copy(made, task->problem, b, error));
    }
    return STATUS_OK;
}

static const struct generate_option thin_options[] = {
    {"percent", 3, 0, 100, NULL, "of the buffers that are left out"}};

const struct perturb_rule perturb_shuffle = {
    .kind = {.name = "shuffle", .title = "the same buffers in another order"},
    .apply = shuffle,
};

const struct perturb_rule perturb_thin = {
    .kind = {.name = "thin",
             .title = "some buffers are left out",
             .option = thin_options,
             .options = 1},
    .apply = thin,
};
