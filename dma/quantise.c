#include "dma/quantise.h"

#include <math.h>

#include "core/checked.h"
#include "core/memory.h"

enum { CHUNK = 16384 };

struct worker {
    const struct graph *graph;
    struct weight_source *source;
    struct quantisation *quantisation;
    double *value; /* [CHUNK] */
    struct error *error;
};

static enum status count_elements(const struct graph *graph, uint32_t weight, uint64_t *elements,
                                  struct error *error)
{
    const struct graph_weight *counted = &graph->weight[weight];
    uint32_t bytes = graph_dtype_bits(counted->dtype) / 8;
    *elements = counted->bytes / bytes;
    if (counted->bytes % bytes)
        return error_set(error, STATUS_BAD_INPUT,
                         "weight '%s' has %llu bytes, expected a multiple of %u for %s",
                         graph_label(graph, counted->name), (unsigned long long)counted->bytes,
                         bytes, graph_dtype_name(counted->dtype));
    return STATUS_OK;
}

static enum status refuse_value(const struct worker *worker, uint32_t weight, uint64_t element,
                                double value)
{
    const char *path = worker->source->path ? worker->source->path : "";
    return error_set_at(worker->error, STATUS_BAD_INPUT, path, 0,
                        "element %llu of weight '%s' is %f, expected a finite number",
                        (unsigned long long)element,
                        graph_label(worker->graph, worker->graph->weight[weight].name), value);
}

static enum status find_greatest(const struct worker *worker, uint32_t weight, uint64_t done,
                                 uint32_t count, double *greatest)
{
    for (uint32_t i = 0; i < count; i++) {
        double size = fabs(worker->value[i]);
        if (!isfinite(size))
            return refuse_value(worker, weight, done + i, worker->value[i]);
        *greatest = size > *greatest ? size : *greatest;
    }
    return STATUS_OK;
}

/* Values are needed twice, for the format and for the loss, and some weights are larger than the
   memory that should be taken. */
static enum status walk_values(const struct worker *worker, uint32_t weight, bool measures,
                               double *greatest)
{
    struct quantised_weight *walked = &worker->quantisation->weight[weight];
    TRY(weight_source_begin(worker->source, weight, worker->error));
    for (uint64_t done = 0; done < walked->elements;) {
        uint64_t left = walked->elements - done;
        uint32_t count = left < CHUNK ? (uint32_t)left : CHUNK;
        TRY(weight_source_next(worker->source, worker->value, count, worker->error));
        if (measures)
            fixed_point_measure(&walked->format, worker->value, count, &walked->loss);
        else
            TRY(find_greatest(worker, weight, done, count, greatest));
        done += count;
    }
    return STATUS_OK;
}

static uint64_t count_bytes(uint64_t elements, uint32_t bits)
{
    return bits == 8 ? elements : elements / 2 + elements % 2;
}

static void add_loss(struct quantisation *quantisation, const struct quantised_weight *weight)
{
    double step = fixed_point_step(&weight->format);
    quantisation->loss.signal += weight->loss.signal * step * step;
    quantisation->loss.noise += weight->loss.noise * step * step;
}

static enum status quantise_weight(const struct worker *worker, uint32_t weight)
{
    struct quantisation *quantisation = worker->quantisation;
    struct quantised_weight *quantised = &quantisation->weight[weight];
    double greatest = 0;
    TRY(count_elements(worker->graph, weight, &quantised->elements, worker->error));
    TRY(walk_values(worker, weight, false, &greatest));
    quantised->format = fixed_point_find(greatest, quantisation->bits);
    TRY(walk_values(worker, weight, true, NULL));
    quantised->quantised = true;
    quantised->bytes_after = count_bytes(quantised->elements, quantisation->bits);
    quantisation->quantised++;
    add_loss(quantisation, quantised);
    return STATUS_OK;
}

static enum status add_weight(const struct worker *worker, uint32_t operator, uint32_t weight)
{
    struct quantisation *quantisation = worker->quantisation;
    struct quantised_weight *added = &quantisation->weight[weight];
    uint64_t bytes = worker->graph->weight[weight].bytes;
    added->operator= operator;
    added->bytes_before = added->bytes_after = bytes;
    if (weight_source_has(worker->graph->weight[weight].dtype))
        TRY(quantise_weight(worker, weight));
    quantisation->bytes_after += added->bytes_after;
    if (!checked_add(quantisation->bytes_before, bytes, &quantisation->bytes_before))
        return error_set(worker->error, STATUS_BAD_INPUT,
                         "the weights add up to more than 2^64 bytes");
    return STATUS_OK;
}

static enum status add_weights(const struct worker *worker)
{
    for (uint32_t o = 0; o < worker->graph->operators; o++) {
        struct span span = worker->graph->operator[o].weights;
        for (uint32_t w = span.first; w < span.first + span.count; w++)
            TRY(add_weight(worker, o, w));
    }
    return STATUS_OK;
}

enum status quantise_graph(const struct graph *graph, struct weight_source *source, uint32_t bits,
                           struct quantisation **quantisation, struct error *error)
{
    struct worker worker = {.graph = graph, .source = source, .error = error};
    enum status status;
    if (bits != 4 && bits != 8)
        return error_set(error, STATUS_USAGE, "%u bits, expected 4 or 8", bits);
    TRY(memory_create(&worker.quantisation, 1, sizeof *worker.quantisation, error));
    worker.quantisation->bits = bits;
    worker.quantisation->weights = graph->weights;
    TRY_OR_DONE(status, memory_create(&worker.quantisation->weight, graph->weights,
                                      sizeof *worker.quantisation->weight, error));
    TRY_OR_DONE(status, memory_create(&worker.value, CHUNK, sizeof *worker.value, error));
    TRY_OR_DONE(status, add_weights(&worker));
    *quantisation = worker.quantisation;
done:
    memory_free(worker.value);
    if (status)
        quantise_free(worker.quantisation);
    return status;
}

void quantise_free(struct quantisation *quantisation)
{
    if (!quantisation)
        return;
    memory_free(quantisation->weight);
    memory_free(quantisation);
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
