#include "quantise/values.h"

#include <assert.h>
#include <math.h>

#include "core/memory.h"

/* Must be even, so that no two numbers of four bits that share a byte fall into two chunks. */
enum { CHUNK = 16384 };

/* Goes through all values of all quantised weights, chunk by chunk, and writes their bytes or
   compares them with bytes that were written before. */
struct walk {
    struct weight_source *source;
    const struct quantisation *quantisation;
    double *value;           /* [CHUNK] */
    int32_t *number;         /* [CHUNK] the quantised values */
    struct text *written;    /* where bytes are written; NULL where they are compared */
    const struct text *read; /* the bytes to compare with */
    size_t at;               /* position in `read` */
    struct values_error *found;
    struct error *error;
};

static void write_chunk(const struct walk *walk, const struct fixed_point *format, uint32_t count)
{
    char bytes[CHUNK];
    fixed_point_quantise_all(format, walk->value, count, walk->number);
    if (format->bits == 8)
        for (uint32_t i = 0; i < count; i++)
            bytes[i] = (char)walk->number[i];
    else
        for (uint32_t i = 0; i < count; i += 2) {
            int32_t high = i + 1 < count ? walk->number[i + 1] : 0;
            bytes[i / 2] = (char)((walk->number[i] & 15) | (high & 15) << 4);
        }
    text_append_bytes(walk->written, bytes, quantise_bytes(count, format->bits));
}

/* Reads quantised number `index`, which takes a byte or half of one. */
static int32_t unpack(uint32_t bits, const char *bytes, uint32_t index)
{
    if (bits == 8)
        return (signed char)bytes[index];
    int32_t half = (unsigned char)bytes[index / 2] >> 4 * (index % 2) & 15;
    return half < 8 ? half : half - 16;
}

static void compare_chunk(struct walk *walk, const struct fixed_point *format, uint32_t count)
{
    const char *bytes = walk->read->bytes + walk->at;
    double step = fixed_point_step(format);
    for (uint32_t i = 0; i < count; i++) {
        double restored = fixed_point_restore(format, unpack(format->bits, bytes, i));
        double lost = step > 0 ? fabs(walk->value[i] - restored) / step : 0;
        walk->found->worst_steps = fmax(walk->found->worst_steps, lost);
    }
    walk->found->compared += count;
    walk->at += quantise_bytes(count, format->bits);
}

static enum status run_walk(struct walk *walk)
{
    const struct quantisation *quantisation = walk->quantisation;
    SCOPED(memory_release) double *value = NULL;
    SCOPED(memory_release) int32_t *number = NULL;
    assert(quantisation->weights == walk->source->graph->weights);
    TRY(memory_create_all(CHUNK, walk->error, &value, &number));
    walk->value = value;
    walk->number = number;
    for (uint32_t w = 0; w < quantisation->weights; w++) {
        const struct quantised_weight *quantised = &quantisation->weight[w];
        if (!quantised->quantised)
            continue;
        TRY(weight_source_begin(walk->source, w, walk->error));
        for (uint64_t done = 0; done < quantised->elements;) {
            uint64_t left = quantised->elements - done;
            uint32_t count = left < CHUNK ? (uint32_t)left : CHUNK;
            TRY(weight_source_next(walk->source, value, count, walk->error));
            if (walk->written)
                write_chunk(walk, &quantised->format, count);
            else
                compare_chunk(walk, &quantised->format, count);
            done += count;
        }
    }
    return walk->written ? text_check(walk->written, walk->error) : STATUS_OK;
}

enum status values_append(struct weight_source *source, const struct quantisation *quantisation,
                          struct text *values, struct error *error)
{
    struct walk walk = {
        .source = source, .quantisation = quantisation, .written = values, .error = error};
    return run_walk(&walk);
}

enum status values_compare(struct weight_source *source, const struct quantisation *quantisation,
                           const struct text *values, struct values_error *found,
                           struct error *error)
{
    struct walk walk = {.source = source,
                        .quantisation = quantisation,
                        .read = values,
                        .found = found,
                        .error = error};
    uint64_t bytes = 0;
    *found = (struct values_error){0};
    for (uint32_t w = 0; w < quantisation->weights; w++)
        bytes += quantisation->weight[w].quantised ? quantisation->weight[w].bytes_after : 0;
    if (values->length != bytes)
        return error_set(error, STATUS_BAD_INPUT, "%zu bytes of values, expected %llu",
                         values->length, (unsigned long long)bytes);
    return run_walk(&walk);
}
