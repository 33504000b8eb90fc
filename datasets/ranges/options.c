#include "datasets/ranges/options.h"

#include <inttypes.h>
#include <string.h>

bool ranges_are_in(const char *options)
{
    return options && strstr(options, "..");
}

void ranges_write_point(const char *options, const struct symbolic_sizes *sizes,
                        const uint64_t *point, struct text *text)
{
    for (const char *item = options; *item;) {
        size_t length = strcspn(item, "&"), name = strcspn(item, "=&");
        uint32_t p = 0;
        while (p < sizes->parameter.count &&
               (strlen(names_get(&sizes->parameter, p)) != name ||
                memcmp(names_get(&sizes->parameter, p), item, name) != 0))
            p++;
        text_append(text, item == options ? "" : "&");
        if (p < sizes->parameter.count)
            text_append(text, "%.*s=%" PRIu64, (int)name, item, point[p]);
        else
            text_append_bytes(text, item, length);
        item += length + (item[length] == '&');
    }
}

/* Whether the option with a name of this length may have a range. */
static bool is_allowed(const char *const *allowed, const char *item, size_t name)
{
    while (allowed && *allowed && (strlen(*allowed) != name || memcmp(*allowed, item, name) != 0))
        allowed++;
    return !allowed || *allowed;
}

static enum status read_range(const char *item, size_t length, const char *const *allowed,
                              struct symbolic_sizes *sizes, struct error *error)
{
    size_t name = strcspn(item, "=&"), dots = name;
    SCOPED(text_free) struct text parameter = {0};
    uint64_t least, greatest;
    while (dots < length && strncmp(item + dots, "..", 2) != 0)
        dots++;
    if (dots >= length && allowed)
        return STATUS_OK;
    const char *upper = dots < length ? item + dots + 2 : item + name + 1;
    if (!name || name >= length || !is_allowed(allowed, item, name) ||
        !text_parse_u64(item + name + 1, dots < length ? dots - name - 1 : length - name - 1,
                        &least) ||
        !text_parse_u64(upper, (size_t)(item + length - upper), &greatest) || !least ||
        greatest > UINT32_MAX)
        return error_set(error, STATUS_USAGE,
                         "found '%.*s', expected %s as the least and the greatest value, such as "
                         "batch=1..64",
                         (int)length, item, allowed ? "batch, sequence or image" : "a dimension");
    if (least > greatest)
        return error_set(error, STATUS_BAD_INPUT,
                         "found the range '%.*s', expected its least value first", (int)length,
                         item);
    text_append_bytes(&parameter, item, name);
    TRY(text_check(&parameter, error));
    return sizes_add_parameter(sizes, parameter.bytes, least, greatest, error);
}

enum status ranges_read(const char *options, const char *const *allowed,
                        struct symbolic_sizes *sizes, struct error *error)
{
    for (const char *item = options; *item;) {
        size_t length = strcspn(item, "&");
        TRY(read_range(item, length, allowed, sizes, error));
        item += length + (item[length] == '&');
    }
    uint64_t points = sizes_points(sizes);
    if (points > RANGES_MOST_POINTS)
        return error_set(error, STATUS_BAD_INPUT,
                         "found %" PRIu64 " points in '%s', expected at most %d: the network is "
                         "built at each",
                         points, options, RANGES_MOST_POINTS);
    return STATUS_OK;
}
