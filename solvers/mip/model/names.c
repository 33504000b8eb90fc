#include "solvers/mip/model/names.h"

#include <stdio.h>
#include <string.h>

enum { MOST_KEPT = 40, MOST_CUT = 28, LABEL_BYTES = MOST_KEPT + 1, NAME_BYTES = 128 };

static bool is_plain(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '_' || character == '.';
}

static bool keeps_name(const struct problem *problem, uint32_t buffer, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!is_plain(name[i]))
            return false;
    return length > 0 && length <= MOST_KEPT && names_find(&problem->names, name) == buffer;
}

static void make_label(const struct problem *problem, uint32_t buffer, char label[LABEL_BYTES])
{
    const char *name = names_get(&problem->names, buffer);
    size_t length = 0;
    if (keeps_name(problem, buffer, name)) {
        memcpy(label, name, strlen(name) + 1);
        return;
    }
    for (; name[length] && length < MOST_CUT; length++)
        label[length] = is_plain(name[length]) ? name[length] : '_';
    snprintf(label + length, LABEL_BYTES - length, "~%u", buffer);
}

static enum status add_buffer_name(const struct problem *problem, const char *what, uint32_t buffer,
                                   struct names *names, struct error *error)
{
    char label[LABEL_BYTES], name[NAME_BYTES];
    make_label(problem, buffer, label);
    snprintf(name, sizeof name, "%s_%s", what, label);
    return names_add(names, name, error);
}

static enum status add_pair_name(const struct mip_model *model, uint32_t p, uint32_t repeated,
                                 struct names *names, struct error *error)
{
    char first[LABEL_BYTES], second[LABEL_BYTES], name[NAME_BYTES];
    make_label(model->problem, model->pair[p].first, first);
    make_label(model->problem, model->pair[p].second, second);
    if (repeated)
        snprintf(name, sizeof name, "below_%s~~%s~~%u", first, second, repeated);
    else
        snprintf(name, sizeof name, "below_%s~~%s", first, second);
    return names_add(names, name, error);
}

/* Pairs of the same two buffers follow each other. */
static enum status add_pair_names(const struct mip_model *model, struct names *names,
                                  struct error *error)
{
    const struct mip_pair *pair = model->pair;
    uint32_t repeated = 0;
    for (uint32_t p = 0; p < model->pairs; p++) {
        bool again =
            p && pair[p].first == pair[p - 1].first && pair[p].second == pair[p - 1].second;
        repeated = again ? repeated + 1 : 0;
        TRY(add_pair_name(model, p, repeated, names, error));
    }
    return STATUS_OK;
}

enum status mip_names_fill(const struct mip_model *model, struct names *names, struct error *error)
{
    const struct problem *problem = model->problem;
    TRY(names_add(names, "peak", error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        TRY(add_buffer_name(problem, "offset", b, names, error));
    TRY(add_pair_names(model, names, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (mip_model_factor(model, b) > 1)
            TRY(add_buffer_name(problem, "factor", b, names, error));
    return STATUS_OK;
}
