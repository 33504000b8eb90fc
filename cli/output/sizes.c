#include "cli/output/sizes.h"

#include <assert.h>
#include <stdio.h>

#include "cli/output/picture.h"
#include "results/views/sizes.h"

struct writer {
    struct store *store;
    struct record_measured measured;
    const struct size_comparison *comparison;
};

static int64_t in_millionths(double ratio)
{
    return (int64_t)(ratio * 1e6 + 0.5);
}

/* Writes the number of a point, which is called "003". */
static enum status write_at(const struct writer *writer, uint32_t point, enum measure_word word,
                            uint64_t value, struct error *error)
{
    char part[16], name[MEASURE_NAME_BYTES];
    snprintf(part, sizeof part, "%03u", point);
    measure_key_write(&(struct measure_key){part, word, NULL}, name);
    return record_write_measures(writer->store, &writer->measured,
                                 &(struct record_number){name, (int64_t)value}, 1, error);
}

static enum status write_points(struct writer *writer, struct error *error)
{
    const struct size_vectors *vectors = &writer->comparison->vectors;
    const struct symbolic_sizes *sizes = vectors->family->sizes;
    uint32_t parameters = vectors->family->parameters;
    writer->measured.variant = SIZES_POINTS;
    TRY(record_write_measures(writer->store, &writer->measured,
                              &(struct record_number){"parameters", parameters}, 1, error));
    for (uint32_t v = 0; v < vectors->count; v++) {
        uint64_t range = sizes->greatest[0] - sizes->least[0];
        uint64_t above = vectors->point[(size_t)v * parameters] - sizes->least[0];
        double place = range ? (double)above / (double)range : 1;
        TRY(write_at(writer, v, MEASURE_LOAD_BYTES, vectors->load[v], error));
        TRY(write_at(writer, v, MEASURE_PLACE_PPM, (uint64_t)in_millionths(place), error));
    }
    return STATUS_OK;
}

static enum status write_rule(struct writer *writer, uint32_t rule, struct error *error)
{
    const struct size_comparison *comparison = writer->comparison;
    uint32_t points = comparison->vectors.count;
    const struct size_comparison_cell *cell = comparison->cell + (size_t)rule * points;
    const struct size_comparison_ratios ratios = size_comparison_summarise(comparison, rule);
    if (!ratios.found)
        return STATUS_OK;
    const struct record_number numbers[] = {
        {"greatest_bytes", (int64_t)cell[0].peak_bytes},
        {"worst_ppm", in_millionths(family_ratio_value(ratios.worst))},
        {"mean_ppm", in_millionths(ratios.mean)},
        {"place_ns", (int64_t)ratios.least_ns},
        {"points", ratios.found},
        {"overlapping", ratios.overlapping},
    };
    writer->measured.variant = size_comparison_rule_at(rule)->name;
    TRY(record_write_measures(writer->store, &writer->measured, numbers,
                              sizeof numbers / sizeof *numbers, error));
    for (uint32_t v = 0; v < points; v++)
        if (cell[v].is_found)
            TRY(write_at(writer, v, MEASURE_PEAK_BYTES, cell[v].peak_bytes, error));
    return STATUS_OK;
}

enum status sizes_record(struct store *store, const struct record_context *context,
                         const struct instance *instance, const struct size_comparison *comparison,
                         const struct family_plan *plan, struct error *error)
{
    struct writer writer = {
        .store = store,
        .measured = {.context = context, .instance = instance, .topic = SIZES_TOPIC},
        .comparison = comparison};
    assert(comparison->vectors.count <= SIZES_MOST_POINTS);
    TRY(write_points(&writer, error));
    for (uint32_t r = 0; r < size_comparison_rules(); r++)
        TRY(write_rule(&writer, r, error));
    const struct record_number numbers[] = {
        {"proved_ppm", in_millionths(family_ratio_value(plan->worst.proved))},
        {"optimal", plan->status == PLAN_OPTIMAL},
        {"plan_ns", (int64_t)plan->wall_ns},
    };
    writer.measured.variant = SIZES_OURS;
    return record_write_measures(store, &writer.measured, numbers, sizeof numbers / sizeof *numbers,
                                 error);
}

enum status sizes_draw(const struct family_request *request, struct family_plan *plan,
                       const char *path, struct error *error)
{
    SCOPED(size_comparison_clear) struct size_comparison comparison = {.cell = NULL};
    SCOPED(store_release) struct store *store = NULL;
    struct record_context context;
    assert(plan->family.parameters == 1);
    TRY(size_comparison_make(request, plan, &comparison, error));
    record_context_fill(&context, "plan");
    TRY(store_open(":memory:", STORE_WRITE, &store, error));
    TRY(sizes_record(store, &context, request->job->instance, &comparison, plan, error));
    return picture_draw(SIZES_TOPIC, &(struct plot_request){.store = store}, path, error);
}
