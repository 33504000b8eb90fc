#include "datasets/assembly/options.h"

#include <string.h>

#include "core/text.h"

enum status bound_shape_parse(const char *bind, struct bound_shape *shape, struct error *error)
{
    const char *equals = strrchr(bind, '='), *at = equals ? equals + 1 : NULL;
    bool good = equals && equals != bind;
    *shape = (struct bound_shape){.name = bind, .name_bytes = equals ? (size_t)(equals - bind) : 0};
    while (good && at && *at) {
        int64_t *dimension = &shape->dimension[shape->rank];
        size_t length = strcspn(at, ",");
        good = shape->rank < GRAPH_MOST_DIMENSIONS && text_parse_i64(at, length, dimension) &&
               *dimension >= 1;
        shape->rank += good;
        at += length + (at[length] == ',');
    }
    if (good)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "found --bind '%s', expected NAME=1,3,224,224 with at most %d dimensions",
                     bind, GRAPH_MOST_DIMENSIONS);
}

enum status bound_shape_refuse(const struct bound_shape *shape, const char *known,
                               struct error *error)
{
    return error_set(error, STATUS_USAGE, "found no input '%.*s' to bind, expected one of: %s",
                     (int)shape->name_bytes, shape->name, known ? known : "");
}

static bool fits(const struct bound_shape *shape, const char *input)
{
    return strlen(input) == shape->name_bytes &&
           strncmp(input, shape->name, shape->name_bytes) == 0;
}

enum status bound_shapes_check(const struct model_options *options, const struct names *inputs,
                               struct error *error)
{
    for (uint32_t b = 0; b < options->binds; b++) {
        SCOPED(text_free) struct text known = {0};
        struct bound_shape shape;
        bool found = false;
        TRY(bound_shape_parse(options->bind[b], &shape, error));
        for (uint32_t i = 0; i < inputs->count; i++) {
            found |= fits(&shape, names_get(inputs, i));
            text_append(&known, "%s%s", i ? ", " : "", names_get(inputs, i));
        }
        if (!found)
            return bound_shape_refuse(&shape, known.bytes, error);
    }
    return STATUS_OK;
}

enum status bound_shape_find(const struct model_options *options, const char *input,
                             struct bound_shape *shape, bool *found, struct error *error)
{
    *found = false;
    for (uint32_t i = 0; i < options->binds && !*found; i++) {
        TRY(bound_shape_parse(options->bind[i], shape, error));
        *found = fits(shape, input);
    }
    return STATUS_OK;
}
