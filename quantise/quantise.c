#include "quantise/quantise.h"

#include <math.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/graph/dtype.h"

/* Values are processed in chunks, since the values of some weights would fill too much memory. */
enum { CHUNK = 16384 };

/* Quantises to all widths at once, so that values are read or drawn only once for all of them. */
struct worker {
    const struct graph *graph;
    struct weight_source *source;
    struct quantisation **quantisation; /* [widths] */
    uint32_t widths;
    double *value; /* [CHUNK] */
    struct error *error;
};

/* Goes through all values of a weight. Where `greatest` is given it finds the largest absolute
   value, else it measures, for every width, what the values lose. */
static enum status walk_values(const struct worker *worker, uint32_t weight, uint64_t elements,
                               double *greatest)
{
    const struct graph *graph = worker->graph;
    const char *path = worker->source->path ? worker->source->path : "";
    TRY(weight_source_begin(worker->source, weight, worker->error));
    if (greatest && weight_source_greatest(worker->source, elements, greatest))
        return STATUS_OK;
    for (uint64_t done = 0; done < elements;) {
        uint32_t count = elements - done < CHUNK ? (uint32_t)(elements - done) : CHUNK;
        TRY(weight_source_next(worker->source, worker->value, count, worker->error));
        for (uint32_t i = 0; greatest && i < count; i++) {
            double size = fabs(worker->value[i]);
            if (!isfinite(size))
                return error_set_at(worker->error, STATUS_BAD_INPUT, path, 0,
                                    "element %llu of weight '%s' is %f, expected a finite number",
                                    (unsigned long long)(done + i),
                                    graph_label(graph, graph->weight[weight].name),
                                    worker->value[i]);
            *greatest = size > *greatest ? size : *greatest;
        }
        for (uint32_t i = 0; !greatest && i < worker->widths; i++) {
            struct quantised_weight *measured = &worker->quantisation[i]->weight[weight];
            fixed_point_measure(&measured->format, worker->value, count, &measured->loss);
        }
        done += count;
    }
    return STATUS_OK;
}

/* Goes through the values of a weight twice: the largest one determines the format, and the loss
   can be measured only once the format is known. */
static enum status quantise_weight(const struct worker *worker, uint32_t weight)
{
    const struct graph *graph = worker->graph;
    const struct graph_weight *whole = &graph->weight[weight];
    uint32_t bytes = graph_dtype_bits(whole->dtype) / 8;
    uint64_t elements = whole->bytes / bytes;
    double greatest = 0;
    if (whole->bytes % bytes)
        return error_set(worker->error, STATUS_BAD_INPUT,
                         "weight '%s' has %llu bytes, expected a multiple of %u for %s",
                         graph_label(graph, whole->name), (unsigned long long)whole->bytes, bytes,
                         graph_dtype_name(whole->dtype));
    TRY(walk_values(worker, weight, elements, &greatest));
    for (uint32_t i = 0; i < worker->widths; i++) {
        struct quantised_weight *quantised = &worker->quantisation[i]->weight[weight];
        uint32_t bits = worker->quantisation[i]->bits;
        quantised->quantised = true;
        quantised->elements = elements;
        quantised->bytes_after = quantise_bytes(elements, bits);
        quantised->format = fixed_point_find(greatest, bits);
    }
    return walk_values(worker, weight, elements, NULL);
}

static enum status walk_weight(const struct worker *worker, uint32_t op, uint32_t weight)
{
    uint64_t bytes = worker->graph->weight[weight].bytes;
    for (uint32_t i = 0; i < worker->widths; i++) {
        struct quantisation *quantisation = worker->quantisation[i];
        quantisation->weight[weight] =
            (struct quantised_weight){.op = op, .bytes_before = bytes, .bytes_after = bytes};
        if (!checked_add(quantisation->bytes_before, bytes, &quantisation->bytes_before))
            return error_set(worker->error, STATUS_BAD_INPUT,
                             "the weights add up to more than 2^64 bytes");
    }
    if (weight_source_has(worker->graph->weight[weight].dtype))
        TRY(quantise_weight(worker, weight));

    /* Each weight counts its loss in its own steps, so it is converted to the values' own units. */
    for (uint32_t i = 0; i < worker->widths; i++) {
        struct quantisation *quantisation = worker->quantisation[i];
        const struct quantised_weight *added = &quantisation->weight[weight];
        double step = fixed_point_step(&added->format);
        quantisation->bytes_after += added->bytes_after;
        if (!added->quantised)
            continue;
        quantisation->quantised++;
        quantisation->loss.signal += added->loss.signal * step * step;
        quantisation->loss.noise += added->loss.noise * step * step;
    }
    return STATUS_OK;
}

uint64_t quantise_bytes(uint64_t elements, uint32_t bits)
{
    return bits == 8 ? elements : elements / 2 + elements % 2;
}

static enum status walk_weights(const struct worker *worker, const uint32_t *bits)
{
    const struct graph *graph = worker->graph;
    struct error *error = worker->error;
    for (uint32_t i = 0; i < worker->widths; i++) {
        struct quantisation **quantisation = &worker->quantisation[i];
        if (bits[i] != 4 && bits[i] != 8)
            return error_set(error, STATUS_USAGE, "%u bits, expected 4 or 8", bits[i]);
        TRY(memory_create(quantisation, 1, sizeof **quantisation, error));
        (*quantisation)->bits = bits[i];
        (*quantisation)->weights = graph->weights;
        TRY(memory_create(&(*quantisation)->weight, graph->weights, sizeof *(*quantisation)->weight,
                          error));
    }
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span span = graph->op[o].weights;
        for (uint32_t w = span.first; w < span.first + span.count; w++)
            TRY(walk_weight(worker, o, w));
    }
    return STATUS_OK;
}

enum status quantise_graph(struct weight_source *source, const uint32_t *bits, uint32_t widths,
                           struct quantisation **quantisation, struct error *error)
{
    SCOPED(memory_release) double *value = NULL;
    for (uint32_t i = 0; i < widths; i++)
        quantisation[i] = NULL;
    TRY(memory_create(&value, CHUNK, sizeof *value, error));
    struct worker worker = {source->graph, source, quantisation, widths, value, error};
    enum status status = walk_weights(&worker, bits);
    for (uint32_t i = 0; status && i < widths; i++) {
        quantise_free(quantisation[i]);
        quantisation[i] = NULL;
    }
    return status;
}

void quantise_free(struct quantisation *quantisation)
{
    if (!quantisation)
        return;
    memory_free_all(quantisation->weight, quantisation);
}

void quantise_apply(const struct quantisation *quantisation, struct graph *graph)
{
    uint8_t dtype = 0;
    graph_dtype_find(quantisation->bits == 8 ? "int8" : "int4", &dtype);
    for (uint32_t w = 0; w < quantisation->weights; w++) {
        if (!quantisation->weight[w].quantised)
            continue;
        graph->weight[w].dtype = dtype;
        graph->weight[w].bytes = quantisation->weight[w].bytes_after;
    }
}

double quantise_decibels(const struct fixed_point_loss *loss)
{
    return loss->noise > 0 ? 10 * log10(loss->signal / loss->noise) : INFINITY;
}
