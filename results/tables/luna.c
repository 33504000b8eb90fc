#include "results/tables/luna.h"

#include "results/published/published.h"

const struct luna_model luna_models[LUNA_MODELS] = {
    {"luna/face_detect", "FaceDetect", false}, {"luna/face_align", "FaceAlign", false},
    {"luna/wake_up", "WakeUp", true},          {"luna/fusion_detect", "FusionDetect", true},
    {"luna/denoise", "Denoise", true},
};

struct luna_pair luna_pair_find(struct picker *picker, const struct luna_model *model,
                                const char *policy, const char *strategy)
{
    const char *const keys[] = {model->published, policy, strategy};
    struct luna_pair pair = {0};
    pair.published = published_find_bytes("luna_memory", keys, 3, "bytes", &pair.published_bytes);
    pair.row = picker_find(picker, model->instance, policy, strategy);
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
