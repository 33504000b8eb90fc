#include "solvers/exact/race/experience.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

enum status exact_experience_create(const struct exact_model *model, bool learns,
                                    struct exact_experience **created, struct error *error)
{
    SCOPED(exact_experience_release) struct exact_experience *experience = NULL;
    TRY(memory_create(&experience, 1, sizeof *experience, error));
    TRY(memory_create(&experience->weight, model->sections, sizeof(double), error));
    if (learns)
        TRY(memory_create(&experience->blame, model->buffers, sizeof(uint64_t), error));
    for (uint32_t s = 0; s < model->sections; s++)
        experience->weight[s] = 1;
    experience->increment = 1;
    *created = experience;
    experience = NULL;
    return STATUS_OK;
}

void exact_experience_free(struct exact_experience *experience)
{
    if (!experience)
        return;
    memory_free(experience->weight);
    memory_free(experience->blame);
    memory_free(experience);
}

void exact_experience_copy(const struct exact_model *model, const struct exact_experience *from,
                           struct exact_experience *to)
{
    assert(!from->blame == !to->blame);
    memcpy(to->weight, from->weight, model->sections * sizeof *to->weight);
    if (from->blame)
        memcpy(to->blame, from->blame, model->buffers * sizeof *to->blame);
    memcpy(to->counter, from->counter, sizeof to->counter);
    to->increment = from->increment;
    to->restarts = from->restarts;
}
