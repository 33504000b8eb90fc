#include "quantise/weight_source.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "core/checked.h"
#include "core/little_endian.h"
#include "planning/graph/dtype.h"

/* The bits of a floating-point format: from the highest one sign, exponent, fraction. */
struct float_format {
    const char *dtype;
    uint32_t bytes;
    int exponent_bits, fraction_bits;
};

static const struct float_format formats[] = {
    {"float32", 4, 8, 23},
    {"float16", 2, 5, 10},
    {"bfloat16", 2, 8, 7},
    {"float64", 8, 11, 52},
};

static const struct float_format *find_format(uint8_t dtype)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(graph_dtype_name(dtype), formats[i].dtype) == 0)
            return &formats[i];
    return NULL;
}

bool weight_source_has(uint8_t dtype)
{
    return find_format(dtype) != NULL;
}

struct weight_source weight_source_draw(const struct graph *graph, uint64_t seed)
{
    return (struct weight_source){.graph = graph, .seed = seed};
}

/* The position in the file at which the values of a weight begin. For weight number graph->weights
   that is the length of the file. */
static enum status find_offset(const struct graph *graph, uint32_t weight, uint64_t *offset,
                               struct error *error)
{
    *offset = 0;
    for (uint32_t w = 0; w < weight; w++)
        if (!checked_add(*offset, graph->weight[w].bytes, offset))
            return error_set(error, STATUS_BAD_INPUT, "the weights add up to more than 2^64 bytes");
    return STATUS_OK;
}

enum status weight_source_open(const struct graph *graph, const char *path,
                               struct weight_source *source, struct error *error)
{
    SCOPED(weight_source_close) struct weight_source opened = {.graph = graph, .path = path};
    struct stat found;
    uint64_t expected;
    *source = opened;
    opened.file = fopen(path, "rb");
    if (!opened.file)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot open: %s", strerror(errno));
    TRY(find_offset(graph, graph->weights, &expected, error));
    if (fstat(fileno(opened.file), &found) != 0 || !S_ISREG(found.st_mode))
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "no plain file, expected raw weights");
    if ((uint64_t)found.st_size != expected)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "%llu bytes, expected %llu, the sum of the graph's weights",
                            (unsigned long long)found.st_size, (unsigned long long)expected);
    HAND_OVER(opened.file, &source->file);
}

void weight_source_close(struct weight_source *source)
{
    if (source->file)
        fclose(source->file);
    source->file = NULL;
}

enum status weight_source_begin(struct weight_source *source, uint32_t weight, struct error *error)
{
    uint64_t offset;
    assert(weight < source->graph->weights);
    source->weight = weight;
    if (!source->file) {
        struct random_state own = random_seed(source->seed);
        source->random = random_seed(random_next(&own) ^ weight);
        return STATUS_OK;
    }
    TRY(find_offset(source->graph, weight, &offset, error));
    if (fseeko(source->file, (off_t)offset, SEEK_SET) != 0)
        return error_set_at(error, STATUS_BAD_INPUT, source->path, 0, "cannot read: %s",
                            strerror(errno));
    return STATUS_OK;
}

/* Decodes a floating-point number whose least significant byte comes first. */
static double decode(const struct float_format *format, const uint8_t *byte)
{
    uint64_t word = little_endian_get(byte, format->bytes);
    uint64_t fraction = word & ((UINT64_C(1) << format->fraction_bits) - 1);
    int most = (1 << format->exponent_bits) - 1;
    int exponent = (int)(word >> format->fraction_bits) & most;
    bool negative = word >> (format->fraction_bits + format->exponent_bits);
    double value;
    if (exponent == most)
        value = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        value = ldexp((double)fraction, 1 - most / 2 - format->fraction_bits);
    else
        value = ldexp((double)(fraction | UINT64_C(1) << format->fraction_bits),
                      exponent - most / 2 - format->fraction_bits);
    return negative ? -value : value;
}

enum status weight_source_next(struct weight_source *source, double *value, uint32_t count,
                               struct error *error)
{
    const struct float_format *format = find_format(source->graph->weight[source->weight].dtype);
    uint8_t bytes[4096];
    assert(format);
    if (!source->file) {
        random_normals(&source->random, value, count);
        return STATUS_OK;
    }
    uint32_t most = (uint32_t)sizeof bytes / format->bytes;
    for (uint32_t done = 0; done < count;) {
        uint32_t now = count - done < most ? count - done : most;
        if (fread(bytes, format->bytes, now, source->file) != now)
            return error_set_at(error, STATUS_BAD_INPUT, source->path, 0,
                                "cannot read, or shorter than before");
        for (uint32_t i = 0; i < now; i++)
            value[done + i] = decode(format, bytes + i * format->bytes);
        done += now;
    }
    return STATUS_OK;
}

bool weight_source_greatest(struct weight_source *source, uint64_t count, double *greatest)
{
    if (!source->file)
        *greatest = random_normals_greatest(&source->random, count);
    return !source->file;
}
