#include "results/views/luna.h"

#include <string.h>

#include "results/views/policies.h"

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

static const char source[] = LUNA_SOURCE, between[] = ": ";

/* Splits the name of a figure, "MODEL: HOW". */
static bool split_figure(const char *name, struct luna_figure *figure)
{
    const char *colon = strstr(name, between);
    if (!colon)
        return false;
    size_t length = (size_t)(colon - name);
    memcpy(figure->model.text, name, length);
    figure->model.text[length] = '\0';
    strcpy(figure->how.text, colon + strlen(between));
    return true;
}

bool luna_next(unsigned *row, const char *table, struct luna_figure *figure)
{
    struct published_value place, name;
    while (published_cell(source, *row, "place", &place)) {
        unsigned at = (*row)++;
        if (strcmp(place.text, table) == 0)
            return published_cell(source, at, "figure", &name) &&
                   published_cell(source, at, "printed", &figure->printed) &&
                   split_figure(name.text, figure);
    }
    return false;
}

struct luna_pair luna_pair_find(struct picker *picker, const char *table, const char *model,
                                const char *strategy)
{
    bool before = strcmp(table, LUNA_TABLE_1) == 0;
    const char *policy = policies_name(before ? POLICIES_FLAT : POLICIES_RECURSIVE);
    struct published_value printed;
    struct luna_pair pair = {0};
    pair.published = published_of(source, table, model, strategy, &printed) &&
                     text_parse_u64(printed.text, strlen(printed.text), &pair.published_bytes);
    pair.row = picker_find(picker, luna_instance(model), policy, strategy);
    pair.measured = picker_peak(pair.row, &pair.measured_bytes);
    return pair;
}
