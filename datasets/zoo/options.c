#include <inttypes.h>
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

static bool parse_count(struct value value, uint32_t *count)
{
    uint64_t number;
    if (!text_parse_u64(value.start, value.length, &number) || !number || number > UINT32_MAX)
        return false;
    *count = (uint32_t)number;
    return true;
}

static bool parse_switch(struct value value, bool *on)
{
    if (value.length != 1 || (*value.start != '0' && *value.start != '1'))
        return false;
    *on = *value.start == '1';
    return true;
}

static bool parse_dtype(struct value value, uint8_t *dtype)
{
    char name[16];
    if (value.length >= sizeof name)
        return false;
    memcpy(name, value.start, value.length);
    name[value.length] = '\0';
    return graph_dtype_find(name, dtype);
}

/* 224, or 257x353: height and width. */
static bool parse_image(struct value value, struct network_options *options)
{
    const char *by = memchr(value.start, 'x', value.length);
    size_t length = by ? (size_t)(by - value.start) : value.length;
    struct value height = {value.start, length}, width = height;
    if (by)
        width = (struct value){by + 1, value.length - length - 1};
    return parse_count(height, &options->height) && parse_count(width, &options->width);
}

enum option { BATCH, DTYPE, FUSE, TRAINING, UPDATES, SEQUENCE, IMAGE, STREAMS, KNOWN };

static const struct option_row {
    const char *name, *expected;
    unsigned needs; /* ZOO_..., 0: every network has it */
} known[KNOWN] = {
    [BATCH] = {"batch", COUNT, 0},
    [DTYPE] = {"dtype", "float32, float16, bfloat16, float64, int8, ...", 0},
    [FUSE] = {"fuse", "0 or 1", 0},
    [TRAINING] = {"training", "0 or 1", ZOO_TRAINING},
    [UPDATES] = {"updates", "0 or 1", ZOO_TRAINING},
    [SEQUENCE] = {"sequence", COUNT, ZOO_SEQUENCE},
    [IMAGE] = {"image", COUNT ", or HEIGHTxWIDTH", ZOO_IMAGE},
    [STREAMS] = {"streams", COUNT, 0},
};

static bool parse_option(enum option option, struct value value, struct network_options *options)
{
    switch (option) {
    case BATCH:
        return parse_count(value, &options->batch);
    case DTYPE:
        return parse_dtype(value, &options->dtype);
    case FUSE:
        return parse_switch(value, &options->fuse);
    case TRAINING:
        return parse_switch(value, &options->training);
    case UPDATES:
        return parse_switch(value, &options->updates);
    case SEQUENCE:
        return parse_count(value, &options->sequence);
    case IMAGE:
        return parse_image(value, options);
    case STREAMS:
        return parse_count(value, &options->streams);
    case KNOWN:
        break;
    }
    return false;
}

static bool has_option(const struct zoo_network *zoo, const struct option_row *option)
{
    return !option->needs || (zoo->options & option->needs);
}

static enum status fail_unknown(const struct zoo_network *zoo, struct value name,
                                struct error *error)
{
    char list[128] = "";
    for (enum option i = 0; i < KNOWN; i++) {
        if (!has_option(zoo, &known[i]))
            continue;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", known[i].name);
    }
    return error_set(error, STATUS_USAGE, "no option '%.*s' of %s, expected one of: %s",
                     (int)name.length, name.start, zoo->name, list);
}

static enum status read_option(const struct zoo_network *zoo, struct value text,
                               struct network_options *options, struct error *error)
{
    const char *equals = memchr(text.start, '=', text.length);
    size_t length = equals ? (size_t)(equals - text.start) : text.length;
    struct value name = {text.start, length}, value = {text.start + length, 0};
    if (equals)
        value = (struct value){equals + 1, text.length - length - 1};
    for (enum option i = 0; i < KNOWN; i++) {
        if (strlen(known[i].name) != length || memcmp(known[i].name, name.start, length) != 0 ||
            !has_option(zoo, &known[i]))
            continue;
        if (parse_option(i, value, options))
            return STATUS_OK;
        return error_set(error, STATUS_USAGE, "option %s of %s is '%.*s', expected %s",
                         known[i].name, zoo->name, (int)value.length, value.start,
                         known[i].expected);
    }
    return fail_unknown(zoo, name, error);
}

/* Normalisation cannot be folded while its statistics still change; what is not trained is not
   updated. */
static enum status check_together(const struct zoo_network *zoo, bool fuse_is_given,
                                  struct network_options *options, struct error *error)
{
    if (options->updates && !options->training)
        return error_set(error, STATUS_USAGE,
                         "option updates=1 of %s, expected training=1 beside it", zoo->name);
    if (!options->training || !options->fuse)
        return STATUS_OK;
    if (fuse_is_given)
        return error_set(error, STATUS_USAGE,
                         "options training=1 and fuse=1 of %s, expected one of them", zoo->name);
    options->fuse = false;
    return STATUS_OK;
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
    return check_together(zoo, fuse_is_given, options, error);
}
