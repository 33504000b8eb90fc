/* The reproduction quantise: drawn weights as int8 and int4, as measures of the topic "quantise".
 */
#include <math.h>
#include <stdio.h>

#include "cli/reproduce/reproduction.h"
#include "harness/files/quantised_file.h"
#include "quantise/quantise.h"

/* Records the sizes of quantised weights, and the signal-to-noise ratio, which does not exist where
   nothing was lost. */
static void record_quantised(struct recorder *recorder, const struct quantisation *quantisation,
                             const char *dtype)
{
    double decibels = quantise_decibels(&quantisation->loss);
    bool lost = isfinite(decibels);
    recorder_add_all(
        recorder, dtype,
        (const struct record_number[]){{"bytes_before", (int64_t)quantisation->bytes_before},
                                       {"bytes_after", (int64_t)quantisation->bytes_after},
                                       {"snr_millidecibels", lost ? llround(1000 * decibels) : 0}},
        lost ? 3 : 2);
}

/* Records the bytes of the file that holds the quantised weights. */
static void record_file(struct recorder *recorder, struct weight_source *source,
                        const struct quantisation *quantisation, const char *dtype)
{
    char folder[512], path[sizeof folder + 16];
    uint64_t bytes = 0;
    recorder_make_folder(recorder, folder, sizeof folder);
    if (recorder->status)
        return;
    snprintf(path, sizeof path, "%s/weights.mpa", folder);
    recorder->status = quantised_file_write(path, source, quantisation, &bytes, recorder->error);
    recorder_add(recorder, dtype, bytes, "bytes_in_file");
    remove(path);
    remove(folder);
}

static void measure(struct recorder *recorder)
{
    static const uint32_t bits[] = {8, 4};
    static const char *const dtype[] = {"int8", "int4"};
    struct quantisation *quantisation[2];
    struct weight_source source = weight_source_draw(recorder->instance->graph, 1);
    recorder->status = quantise_graph(&source, bits, 2, quantisation, recorder->error);
    if (recorder->status)
        return;
    record_file(recorder, &source, quantisation[0], dtype[0]);
    for (int i = 0; i < 2; i++) {
        record_quantised(recorder, quantisation[i], dtype[i]);
        quantise_free(quantisation[i]);
    }
}

const struct reproduction reproduction_quantise = {
    .name = "quantise",
    .title = "Weight quantisation",
    .paragraph =
        "Xu 2019, Table 6.3: twelve networks with 16-bit weights, whose weights become int8 and "
        "int4 by position and scale.",
    .suite = "quantise",
    .tables = (const char *const[]){"quantise", NULL},
    .measure = measure,
};
