#include "results/views/luna.h"

#include <string.h>

static const struct {
    const char *model, *instance;
} models[] = {
    {"FaceDetect", "luna/face_detect"},     {"FaceAlign", "luna/face_align"},
    {"BodyDetect", "luna/body_detect"},     {"WakeUp", "luna/wake_up"},
    {"FusionDetect", "luna/fusion_detect"}, {"Denoise", "luna/denoise"},
};

const char *luna_instance(const char *model)
{
    for (unsigned i = 0; i < sizeof models / sizeof *models; i++)
        if (strcmp(models[i].model, model) == 0)
            return models[i].instance;
    return "";
}

bool luna_next(unsigned *row, const char *policy, struct luna_figure *figure)
{
    struct published_value published;
    for (; published_cell("luna_memory", *row, "policy", &published); ++*row)
        if (strcmp(published.text, policy) == 0)
            return published_cell("luna_memory", *row, "model", &figure->model) &&
                   published_cell("luna_memory", (*row)++, "strategy", &figure->strategy);
    return false;
}

struct luna_pair luna_pair_find(struct picker *picker, const char *model, const char *policy,
                                const char *strategy)
{
    const char *const keys[] = {model, policy, strategy};
    struct luna_pair pair = {0};
    pair.published = published_find_bytes("luna_memory", keys, 3, "bytes", &pair.published_bytes);
    pair.row = picker_find(picker, luna_instance(model), policy, strategy);
    pair.measured = picker_peak(pair.row, &pair.measured_bytes);
    return pair;
}

void luna_pair_add(struct picker *picker, struct table *table, const struct luna_pair *pair,
                   uint32_t *different)
{
    bool both = pair->published && pair->measured;
    if (pair->published)
        table_add_number(table, pair->published_bytes);
    else
        table_add_missing(table);
    picker_add_peak(picker, table, pair->row);
    picker_add_difference(table, both, pair->measured_bytes, pair->published_bytes);
    *different += both && pair->measured_bytes != pair->published_bytes;
}

void luna_add_notes(const struct picker *picker, struct table *table, uint32_t different)
{
    table_add_note(table, "The LUNA models were never published. These are reconstructions: "
                          "plausible networks whose figures come from the ordinary planners, "
                          "none of which knows a model's name.");
    if (different)
        table_add_note(table, "Measured figures that differ from the published ones: %u.",
                       different);
    picker_add_notes(picker, table);
}
