#include "datasets/zoo/ranges.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "core/scratch.h"
#include "datasets/zoo/infer.h"
#include "planning/graph/dtype.h"

/* A network whose sizes are being found. */
struct ranges {
    const struct zoo_network *zoo;
    const char *name, *options;
    const struct graph *graph;    /* at the greatest point */
    struct symbolic_sizes *sizes; /* with the parameters */
    uint64_t *
        *dimension; /* [parameters] of each the dimensions along its axis, the other parameters
                       at their greatest: [values][tensors][GRAPH_MOST_DIMENSIONS] */
    struct scratch scratch;
    struct error *error;
};

static void free_ranges(struct ranges *ranges)
{
    scratch_free(&ranges->scratch);
}

bool zoo_has_range(const char *options)
{
    return options && strstr(options, "..");
}

void zoo_write_point(const char *options, const struct symbolic_sizes *sizes, const uint64_t *point,
                     struct text *text)
{
    for (const char *item = options; *item; item += item[strcspn(item, "&")] == '&') {
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
        item += length;
        if (!*item)
            break;
    }
}

/* Makes a parameter of each option with a range. */
static enum status read_ranges(struct ranges *ranges)
{
    static const char *const allowed[] = {"batch", "sequence", "image"};
    for (const char *item = ranges->options; *item;) {
        size_t length = strcspn(item, "&"), name = strcspn(item, "=&");
        const char *value = item + name + 1, *dots = NULL;
        for (size_t i = name; i + 1 < length && !dots; i++)
            dots = item[i] == '.' && item[i + 1] == '.' ? item + i : NULL;
        uint64_t least, greatest;
        const char *parameter = NULL;
        for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
            if (strlen(allowed[i]) == name && memcmp(allowed[i], item, name) == 0)
                parameter = allowed[i];
        if (dots) {
            if (!parameter || !text_parse_u64(value, (size_t)(dots - value), &least) ||
                !text_parse_u64(dots + 2, length - (size_t)(dots + 2 - item), &greatest) ||
                !least || least > greatest || greatest > UINT32_MAX)
                return error_set(ranges->error, STATUS_USAGE,
                                 "found '%.*s', expected batch, sequence or image as the least "
                                 "and the greatest value, such as batch=1..64",
                                 (int)length, item);
            TRY(sizes_add_parameter(ranges->sizes, parameter, least, greatest, ranges->error));
        }
        item += length + (item[length] == '&');
    }
    uint64_t points = sizes_points(ranges->sizes);
    if (points > ZOO_MOST_POINTS)
        return error_set(ranges->error, STATUS_USAGE,
                         "found %" PRIu64 " points in '%s', expected at most %d: the network is "
                         "built at each",
                         points, ranges->options, ZOO_MOST_POINTS);
    return STATUS_OK;
}

static enum status build_point(const struct ranges *ranges, const uint64_t *point,
                               struct graph **graph)
{
    struct network_options network = NETWORK_DEFAULTS;
    SCOPED(text_free) struct text options = {0};
    zoo_write_point(ranges->options, ranges->sizes, point, &options);
    TRY(text_check(&options, ranges->error));
    TRY(zoo_read_options(ranges->zoo, options.bytes, &network, ranges->error));
    TRY(zoo_build(ranges->zoo, ranges->name, &network, graph, ranges->error));
    const struct graph *greatest = ranges->graph, *built = *graph;
    bool same = !greatest ||
                (built->tensors == greatest->tensors && built->operators == greatest->operators &&
                 built->listed == greatest->listed &&
                 memcmp(built->list, greatest->list, built->listed * sizeof *built->list) == 0);
    for (uint32_t t = 0; same && greatest && t < built->tensors; t++)
        same = built->tensor[t].rank == greatest->tensor[t].rank &&
               built->tensor[t].dtype == greatest->tensor[t].dtype &&
               built->tensor[t].producer == greatest->tensor[t].producer &&
               built->tensor[t].external == greatest->tensor[t].external;
    if (same)
        return STATUS_OK;
    graph_free(*graph);
    *graph = NULL;
    return error_set(ranges->error, STATUS_USAGE,
                     "the operators of %s?%s are others than at the greatest values, expected the "
                     "same for all sizes",
                     ranges->zoo->name, options.bytes);
}

/* Notes the dimensions of all tensors along the axis of each parameter. */
static enum status walk_axes(struct ranges *ranges)
{
    const struct symbolic_sizes *sizes = ranges->sizes;
    uint32_t parameters = sizes->parameter.count, tensors = ranges->graph->tensors;
    uint64_t *point;
    TRY(scratch_take(&ranges->scratch, &point, parameters, sizeof *point, ranges->error));
    TRY(scratch_take(&ranges->scratch, &ranges->dimension, parameters, sizeof *ranges->dimension,
                     ranges->error));
    for (uint32_t p = 0; p < parameters; p++) {
        uint64_t count = sizes->greatest[p] - sizes->least[p] + 1;
        size_t row = (size_t)tensors * GRAPH_MOST_DIMENSIONS;
        TRY(scratch_take(&ranges->scratch, &ranges->dimension[p], (size_t)count * row,
                         sizeof(uint64_t), ranges->error));
        memcpy(point, sizes->greatest, parameters * sizeof *point);
        for (uint64_t i = 0; i < count; i++) {
            SCOPED(graph_release) struct graph *graph = NULL;
            point[p] = sizes->least[p] + i;
            TRY(build_point(ranges, point, &graph));
            for (uint32_t t = 0; t < tensors; t++)
                memcpy(ranges->dimension[p] + i * row + (size_t)t * GRAPH_MOST_DIMENSIONS,
                       graph->tensor[t].dimension, sizeof graph->tensor[t].dimension);
        }
    }
    return STATUS_OK;
}

static enum status refuse_tensor(const struct ranges *ranges, uint32_t tensor)
{
    return error_set(ranges->error, STATUS_USAGE,
                     "the bytes of tensor '%s' of %s are no expression of the parameters, expected "
                     "one that repeats its rises",
                     names_get(&ranges->graph->tensor_names, tensor), ranges->name);
}

/* Appends a dimension as a factor: of the parameters that change it all but the last have to be
   factors of it. */
static enum status append_dimension(const struct ranges *ranges, uint32_t tensor, uint32_t d,
                                    struct text *text)
{
    const struct symbolic_sizes *sizes = ranges->sizes;
    uint64_t greatest = ranges->graph->tensor[tensor].dimension[d], rest = greatest;
    size_t row = (size_t)ranges->graph->tensors * GRAPH_MOST_DIMENSIONS;
    uint32_t last = UINT32_MAX;
    SCOPED(memory_release) uint64_t *value = NULL;
    for (uint32_t p = 0; p < sizes->parameter.count; p++) {
        const uint64_t *walked = ranges->dimension[p] + (size_t)tensor * GRAPH_MOST_DIMENSIONS + d;
        if (walked[0] == greatest)
            continue;
        if (last != UINT32_MAX) {
            text_append(text, "*%s", names_get(&sizes->parameter, last));
            if (rest % sizes->greatest[last])
                return refuse_tensor(ranges, tensor);
            rest /= sizes->greatest[last];
        }
        last = p;
    }
    if (last == UINT32_MAX) {
        if (rest != 1)
            text_append(text, "*%" PRIu64, rest);
        return STATUS_OK;
    }
    uint32_t count = (uint32_t)(sizes->greatest[last] - sizes->least[last] + 1);
    SCOPED(text_free) struct text factor = {0};
    bool found;
    TRY(memory_create(&value, count, sizeof *value, ranges->error));
    for (uint32_t i = 0; i < count; i++)
        value[i] = ranges->dimension[last][i * row + (size_t)tensor * GRAPH_MOST_DIMENSIONS + d] /
                   (greatest / rest);
    TRY(infer_expression(names_get(&sizes->parameter, last), sizes->least[last], value, count,
                         &factor, &found, ranges->error));
    if (!found)
        return refuse_tensor(ranges, tensor);
    bool is_sum = strpbrk(factor.bytes, "+-") != NULL;
    text_append(text, is_sum ? "*(%s)" : "*%s", factor.bytes);
    return STATUS_OK;
}

/* Compares the bytes of a tensor along all axes with its expression. */
static enum status check_axes(const struct ranges *ranges, uint32_t tensor)
{
    const struct symbolic_sizes *sizes = ranges->sizes;
    const struct graph_tensor *sized = &ranges->graph->tensor[tensor];
    uint32_t parameters = sizes->parameter.count;
    size_t row = (size_t)ranges->graph->tensors * GRAPH_MOST_DIMENSIONS;
    SCOPED(memory_release) uint64_t *point = NULL;
    TRY(memory_create(&point, parameters, sizeof *point, ranges->error));
    for (uint32_t p = 0; p < parameters && sized->has_shape; p++) {
        memcpy(point, sizes->greatest, parameters * sizeof *point);
        for (point[p] = sizes->least[p]; point[p] <= sizes->greatest[p]; point[p]++) {
            uint64_t bytes, value;
            const uint64_t *dimension = ranges->dimension[p] +
                                        (size_t)(point[p] - sizes->least[p]) * row +
                                        (size_t)tensor * GRAPH_MOST_DIMENSIONS;
            if (!graph_shape_bytes(sized->dtype, dimension, sized->rank, &bytes) ||
                !sizes_value(sizes, tensor, point, &value) || value != bytes)
                return refuse_tensor(ranges, tensor);
        }
    }
    return STATUS_OK;
}

static enum status add_tensor(struct ranges *ranges, uint32_t tensor)
{
    const struct graph_tensor *sized = &ranges->graph->tensor[tensor];
    SCOPED(text_free) struct text text = {0};
    const uint64_t elements[1] = {8};
    uint64_t of_eight = 0;
    bool fits = graph_shape_bytes(sized->dtype, elements, 1, &of_eight);
    assert(fits && of_eight);
    (void)fits;
    if (!sized->has_shape)
        return sizes_add_number(ranges->sizes, sized->bytes, ranges->error);
    text_append(&text, of_eight % 8 ? "ceil(%" PRIu64 : "%" PRIu64,
                of_eight % 8 ? of_eight : of_eight / 8);
    for (uint32_t d = 0; d < sized->rank; d++)
        TRY(append_dimension(ranges, tensor, d, &text));
    text_append(&text, of_eight % 8 ? " / 8)" : "");
    TRY(text_check(&text, ranges->error));
    TRY(sizes_add(ranges->sizes, text.bytes, ranges->error));
    return check_axes(ranges, tensor);
}

/* Builds the network at every point and compares all bytes. */
static enum status check_points(const struct ranges *ranges)
{
    const struct symbolic_sizes *sizes = ranges->sizes;
    uint32_t parameters = sizes->parameter.count, p = 0;
    SCOPED(memory_release) uint64_t *point = NULL;
    TRY(memory_create(&point, parameters, sizeof *point, ranges->error));
    memcpy(point, sizes->least, parameters * sizeof *point);
    while (p < parameters) {
        SCOPED(graph_release) struct graph *graph = NULL;
        TRY(build_point(ranges, point, &graph));
        for (uint32_t t = 0; t < graph->tensors; t++) {
            uint64_t bytes;
            if (!sizes_value(sizes, t, point, &bytes) || bytes != graph->tensor[t].bytes)
                return refuse_tensor(ranges, t);
        }
        for (p = 0; p < parameters && point[p]++ == sizes->greatest[p]; p++)
            point[p] = sizes->least[p];
    }
    return STATUS_OK;
}

enum status zoo_build_ranges(const struct zoo_network *zoo, const char *name, const char *options,
                             struct graph **created, struct symbolic_sizes **created_sizes,
                             struct error *error)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    SCOPED(sizes_release) struct symbolic_sizes *sizes = NULL;
    SCOPED(free_ranges)
    struct ranges ranges = {.zoo = zoo, .name = name, .options = options, .error = error};
    TRY(sizes_create(&sizes, error));
    ranges.sizes = sizes;
    TRY(read_ranges(&ranges));
    TRY(build_point(&ranges, sizes->greatest, &graph));
    ranges.graph = graph;
    TRY(walk_axes(&ranges));
    for (uint32_t t = 0; t < graph->tensors; t++)
        TRY(add_tensor(&ranges, t));
    /* The axis of a single parameter is the whole box. */
    if (sizes->parameter.count > 1)
        TRY(check_points(&ranges));
    *created = graph;
    *created_sizes = sizes;
    graph = NULL;
    sizes = NULL;
    return STATUS_OK;
}
