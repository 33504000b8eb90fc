#include <stddef.h>
#include <string.h>

#include "core/text.h"
#include "datasets/zoo/zoo.h"
#include "planning/graph/dtype.h"

/* The options of a network's name: zoo/resnet50?batch=32&training=1&dtype=float16. */

#define COUNT "a number from 1 to 4294967295"

struct value {
    const char *start;
    size_t length;
};

static bool parse_count(struct value value, void *count)
{
    uint64_t number;
    if (!text_parse_u64(value.start, value.length, &number) || !number || number > UINT32_MAX)
        return false;
    *(uint32_t *)count = (uint32_t)number;
    return true;
}

static bool parse_switch(struct value value, void *on)
{
    if (value.length != 1 || (*value.start != '0' && *value.start != '1'))
        return false;
    *(bool *)on = *value.start == '1';
    return true;
}

static bool parse_dtype(struct value value, void *dtype)
{
    char name[16];
    if (value.length >= sizeof name)
        return false;
    memcpy(name, value.start, value.length);
    name[value.length] = '\0';
    return graph_dtype_find(name, dtype);
}

/* 224, or 257x353: height, and width behind it in the options. */
static bool parse_image(struct value value, void *height)
{
    const char *by = memchr(value.start, 'x', value.length);
    size_t length = by ? (size_t)(by - value.start) : value.length;
    struct value first = {value.start, length}, second = first;
    if (by)
        second = (struct value){by + 1, value.length - length - 1};
    return parse_count(first, height) && parse_count(second, (uint32_t *)height + 1);
}

static_assert(offsetof(struct network_options, width) ==
                  offsetof(struct network_options, height) + sizeof(uint32_t),
              "the width stands behind the height");

#define AT(member) offsetof(struct network_options, member)

static const struct option_row {
    const char *name, *expected;
    unsigned needs; /* ZOO_..., 0: every network has it */
    bool (*parse)(struct value value, void *option);
    size_t at; /* in struct network_options */
} known[] = {
    {"batch", COUNT, 0, parse_count, AT(batch)},
    {"dtype", "float32, float16, bfloat16, float64, int8, ...", 0, parse_dtype, AT(dtype)},
    {"fuse", "0 or 1", 0, parse_switch, AT(fuse)},
    {"training", "0 or 1", ZOO_TRAINING, parse_switch, AT(training)},
    {"updates", "0 or 1", ZOO_TRAINING, parse_switch, AT(updates)},
    {"sequence", COUNT, ZOO_SEQUENCE, parse_count, AT(sequence)},
    {"image", COUNT ", or HEIGHTxWIDTH", ZOO_IMAGE, parse_image, AT(height)},
    {"streams", COUNT, 0, parse_count, AT(streams)},
};

enum { KNOWN = sizeof known / sizeof *known };

static enum status read_option(const struct zoo_network *zoo, struct value text,
                               struct network_options *options, struct error *error)
{
    const char *equals = memchr(text.start, '=', text.length);
    size_t length = equals ? (size_t)(equals - text.start) : text.length;
    struct value value = {text.start + length, 0};
    char names[128] = "";
    if (equals)
        value = (struct value){equals + 1, text.length - length - 1};
    for (int i = 0; i < KNOWN; i++) {
        const struct option_row *option = &known[i];
        size_t used = strlen(names);
        if (option->needs && !(zoo->options & option->needs))
            continue;
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", option->name);
        if (strlen(option->name) != length || memcmp(option->name, text.start, length) != 0)
            continue;
        if (option->parse(value, (char *)options + option->at))
            return STATUS_OK;
        return error_set(error, STATUS_USAGE, "option %s of %s is '%.*s', expected %s",
                         option->name, zoo->name, (int)value.length, value.start, option->expected);
    }
    return error_set(error, STATUS_USAGE, "no option '%.*s' of %s, expected one of: %s",
                     (int)length, text.start, zoo->name, names);
}

enum status zoo_read_options(const struct zoo_network *zoo, const char *text,
                             struct network_options *options, struct error *error)
{
    bool fuse_is_given = false;
    for (const char *start = text; start; start = strchr(start, '&')) {
        start += *start == '&';
        struct value option = {start, strcspn(start, "&")};
        TRY(read_option(zoo, option, options, error));
        if (text_repeats_name(text, start, '&'))
            return error_set(error, STATUS_USAGE, "option %.*s of %s is given twice, expected once",
                             (int)strcspn(start, "="), start, zoo->name);
        fuse_is_given |= strncmp(start, "fuse=", 5) == 0;
    }
    if (options->updates && !options->training)
        return error_set(error, STATUS_USAGE,
                         "option updates=1 of %s, expected training=1 beside it", zoo->name);
    /* Normalisation cannot be folded while its statistics still change. */
    if (options->training && options->fuse && fuse_is_given)
        return error_set(error, STATUS_USAGE,
                         "options training=1 and fuse=1 of %s, expected one of them", zoo->name);
    options->fuse = options->fuse && !options->training;
    return STATUS_OK;
}
