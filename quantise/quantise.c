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

/* Raises *greatest to the largest absolute value in a chunk of `count` values; `done` values of the
   weight came before it. */
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

/* Adds, for every width, what the values of a chunk lose. */
static void measure(const struct worker *worker, uint32_t weight, uint32_t count)
{
    for (uint32_t i = 0; i < worker->widths; i++) {
        struct quantised_weight *measured = &worker->quantisation[i]->weight[weight];
        fixed_point_measure(&measured->format, worker->value, count, &measured->loss);
    }
}

/* Goes through all values of a weight. Where `greatest` is given it finds the largest absolute
   value, else it measures what the values lose. */
static enum status walk_values(const struct worker *worker, uint32_t weight, uint64_t elements,
                               double *greatest)
{
    TRY(weight_source_begin(worker->source, weight, worker->error));
    if (greatest && weight_source_greatest(worker->source, elements, greatest))
        return STATUS_OK;
    for (uint64_t done = 0; done < elements;) {
        uint32_t count = elements - done < CHUNK ? (uint32_t)(elements - done) : CHUNK;
        TRY(weight_source_next(worker->source, worker->value, count, worker->error));
        if (greatest)
            TRY(find_greatest(worker, weight, done, count, greatest));
        else
            measure(worker, weight, count);
        done += count;
    }
    return STATUS_OK;
}

/* The bytes of quantised elements; two numbers of four bits share a byte. */
static uint64_t count_bytes(uint64_t elements, uint32_t bits)
{
    return bits == 8 ? elements : elements / 2 + elements % 2;
}

/* Adds the loss of one weight to that of all. Each weight counts its loss in its own steps, so it
   is converted to the values' own units first. */
static void add_loss(struct quantisation *quantisation, const struct quantised_weight *weight)
{
    double step = fixed_point_step(&weight->format);
    quantisation->loss.signal += weight->loss.signal * step * step;
    quantisation->loss.noise += weight->loss.noise * step * step;
}

/* Goes through the values of a weight twice: the largest one determines the format, and the loss
   can be measured only once the format is known. */
static enum status quantise_weight(const struct worker *worker, uint32_t weight)
{
    uint64_t elements;
    double greatest = 0;
    TRY(count_elements(worker->graph, weight, &elements, worker->error));
    TRY(walk_values(worker, weight, elements, &greatest));
    for (uint32_t i = 0; i < worker->widths; i++) {
        struct quantised_weight *quantised = &worker->quantisation[i]->weight[weight];
        uint32_t bits = worker->quantisation[i]->bits;
        quantised->elements = elements;
        quantised->format = fixed_point_find(greatest, bits);
        quantised->bytes_after = count_bytes(elements, bits);
        quantised->quantised = true;
    }
    return walk_values(worker, weight, elements, NULL);
}

static void add_weight(struct quantisation *quantisation, uint32_t weight)
{
    const struct quantised_weight *added = &quantisation->weight[weight];
    quantisation->bytes_after += added->bytes_after;
    if (!added->quantised)
        return;
    quantisation->quantised++;
    add_loss(quantisation, added);
}

static enum status begin_weight(const struct worker *worker, struct quantisation *quantisation,
                                uint32_t op, uint32_t weight)
{
    struct quantised_weight *begun = &quantisation->weight[weight];
    begun->op = op;
    begun->bytes_before = begun->bytes_after = worker->graph->weight[weight].bytes;
    if (!checked_add(quantisation->bytes_before, begun->bytes_before, &quantisation->bytes_before))
        return error_set(worker->error, STATUS_BAD_INPUT,
                         "the weights add up to more than 2^64 bytes");
    return STATUS_OK;
}

static enum status walk_weight(const struct worker *worker, uint32_t op, uint32_t weight)
{
    for (uint32_t i = 0; i < worker->widths; i++)
        TRY(begin_weight(worker, worker->quantisation[i], op, weight));
    if (weight_source_has(worker->graph->weight[weight].dtype))
        TRY(quantise_weight(worker, weight));
    for (uint32_t i = 0; i < worker->widths; i++)
        add_weight(worker->quantisation[i], weight);
    return STATUS_OK;
}

static enum status walk_weights(const struct worker *worker)
{
    for (uint32_t o = 0; o < worker->graph->operators; o++) {
        struct span span = worker->graph->op[o].weights;
        for (uint32_t w = span.first; w < span.first + span.count; w++)
            TRY(walk_weight(worker, o, w));
    }
    return STATUS_OK;
}

static enum status create_quantisation(const struct graph *graph, uint32_t bits,
                                       struct quantisation **quantisation, struct error *error)
{
    if (bits != 4 && bits != 8)
        return error_set(error, STATUS_USAGE, "%u bits, expected 4 or 8", bits);
    TRY(memory_create(quantisation, 1, sizeof **quantisation, error));
    (*quantisation)->bits = bits;
    (*quantisation)->weights = graph->weights;
    return memory_create(&(*quantisation)->weight, graph->weights, sizeof *(*quantisation)->weight,
                         error);
}

enum status quantise_graph(struct weight_source *source, const uint32_t *bits, uint32_t widths,
                           struct quantisation **quantisation, struct error *error)
{
    struct worker worker = {.graph = source->graph,
                            .source = source,
                            .quantisation = quantisation,
                            .widths = widths,
                            .error = error};
    enum status status;
    for (uint32_t i = 0; i < widths; i++)
        quantisation[i] = NULL;
    for (uint32_t i = 0; i < widths; i++)
        TRY_OR_DONE(status, create_quantisation(source->graph, bits[i], &quantisation[i], error));
    TRY_OR_DONE(status, memory_create(&worker.value, CHUNK, sizeof *worker.value, error));
    TRY_OR_DONE(status, walk_weights(&worker));
done:
    memory_free(worker.value);
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
