#include "made_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/store/measures.h"
#include "results/views/figures.h"
#include "results/views/luna.h"
#include "support/testing.h"

enum { MOST_RECTANGLES = 200 };

struct result_row made_up_row(const char *instance, const char *policy, const char *planner,
                              uint64_t peak_bytes)
{
    return (struct result_row){
        .run = "made-up",
        .instance = instance,
        .digest = instance,
        .policy = policy,
        .planner = planner,
        .options = "",
        .status = "feasible",
        .verdict = "valid",
        .execution = "intact",
        .stop_reason = "",
        .buffers = 7,
        .peak_bytes = peak_bytes,
        .wall_ns = 12345,
        .wall_samples = "12000 12345 13000",
        .host = "host",
        .build = "build 1",
        .started = "2026-01-02T03:04:05Z",
        .counters = "",
        .curve = "",
        .fault = "",
        .addresses = "",
        .settings = "",
        .path = "",
        .origin = "",
    };
}

void made_up_write(struct store *store, struct result_row row)
{
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(store_write(store, &row, NULL, 0, &error), STATUS_OK);
}

struct store *made_up_open(char path[64])
{
    struct store *store;
    struct error error = ERROR_NONE;
    strcpy(path, "/tmp/memplan-made-up-XXXXXX");
    int file = mkstemp(path);
    CU_ASSERT_FATAL(file >= 0);
    close(file);
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_WRITE, &store, &error), STATUS_OK);
    return store;
}

void made_up_remove(struct store *store, const char *path)
{
    char beside[80];
    store_close(store);
    unlink(path);
    snprintf(beside, sizeof beside, "%s-wal", path);
    unlink(beside);
    snprintf(beside, sizeof beside, "%s-shm", path);
    unlink(beside);
}

static int overlap(const struct result_rectangle *a, const struct result_rectangle *b)
{
    return a->lower < b->upper && b->lower < a->upper && a->offset < b->offset + b->size &&
           b->offset < a->offset + a->size;
}

/* Lowest offset at which nothing placed before is in the way. */
static void place_rectangle(struct result_rectangle *rectangles, uint32_t index)
{
    uint32_t i = 0;
    rectangles[index].offset = 0;
    while (i < index)
        if (!rectangles[i].block && overlap(&rectangles[i], &rectangles[index])) {
            rectangles[index].offset = rectangles[i].offset + rectangles[i].size;
            i = 0;
        } else {
            i++;
        }
}

static void write_layout(struct store *store, struct result_row row,
                         struct result_rectangle *rectangles, uint32_t count)
{
    struct error error = ERROR_NONE;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t top = rectangles[i].offset + rectangles[i].size;
        row.peak_bytes = top > row.peak_bytes ? top : row.peak_bytes;
    }
    CU_ASSERT_EQUAL_FATAL(store_write(store, &row, rectangles, count, &error), STATUS_OK);
}

/* The graph of Wang et al. 2025, Figure 1, with sizes of our own, in the order given. */
static void write_figure1(struct store *store, const char *planner, const char *order)
{
    static const struct result_rectangle tensors[] = {
        {"T_A", 0, 4, 0, 3000, 0, 0}, {"T_B", 1, 4, 0, 2000, 1, 0}, {"T_C", 2, 4, 0, 4000, 2, 0},
        {"T_D", 3, 6, 0, 2500, 0, 0}, {"T_E", 4, 8, 0, 1500, 3, 0}, {"T_F", 5, 8, 0, 3500, 4, 0},
        {"T_G", 7, 9, 0, 1000, 0, 0}};
    struct result_rectangle placed[7];
    for (uint32_t i = 0; i < 7; i++) {
        placed[i] = tensors[order[i] - 'A'];
        place_rectangle(placed, i);
    }
    struct result_row row = made_up_row("paper/figure1", "flat", planner, 0);
    row.load_bytes = 11500;
    row.naive_bytes = 17500;
    write_layout(store, row, placed, 7);
}

static void write_figure2(struct store *store)
{
    struct result_rectangle placed[] = {
        {"if_1", 1, 4, 0, 4000, 0, 1},    {"T_B", 1, 3, 0, 2000, 1, 0},
        {"T_C", 2, 4, 0, 4000, 2, 0},     {"T_A", 0, 2, 4000, 3000, 0, 0},
        {"if_2", 4, 8, 2500, 3500, 0, 1}, {"T_E", 4, 6, 2500, 1500, 3, 0},
        {"T_F", 6, 8, 2500, 3500, 4, 0},  {"T_D", 3, 5, 4000, 2500, 0, 0},
        {"T_G", 7, 9, 0, 1000, 0, 0}};
    struct result_row row = made_up_row("paper/figure1", "recursive", "large_first", 0);
    row.load_bytes = 6500;
    write_layout(store, row, placed, 9);
}

/* One tensor lies in two pieces. */
static void write_figure4(struct store *store)
{
    struct result_rectangle placed[] = {{"t1", 0, 2, 0, 5000, 0, 0},
                                        {"t2", 1, 5, 20000, 8000, 0, 0},
                                        {"t2", 1, 5, 35000, 2000, 0, 0}};
    struct result_row row = made_up_row("patent/figure4", "flat", "exclusive", 0);
    write_layout(store, row, placed, 3);
}

/* Enough tensors that most are too small for a label, two branches in the middle. */
static void write_fusion_detect(struct store *store, const char *policy, uint64_t peak_bytes,
                                int block)
{
    static struct result_rectangle placed[MOST_RECTANGLES];
    static char labels[MOST_RECTANGLES][32];
    uint32_t count = 0;
    if (block)
        placed[count++] = (struct result_rectangle){"if", 40, 130, 0, peak_bytes - 28800, 0, 1};
    for (uint32_t i = 0; count < 160; i++) {
        uint64_t size = 28800u * (1 + i * 7 % 5);
        uint64_t group = i < 40 || i >= 130 ? 0 : i < 80 ? 1 : 2;
        snprintf(labels[count], sizeof labels[count], "conv_%u:0", i);
        placed[count] = (struct result_rectangle){.label = labels[count],
                                                  .lower = i,
                                                  .upper = i + 2 + i % 3,
                                                  .size = size,
                                                  .group = group};
        place_rectangle(placed, count++);
    }
    struct result_row row = made_up_row("luna/fusion_detect", policy, "large_first", peak_bytes);
    row.reconstruction = 1;
    row.load_bytes = 460800;
    row.buffers = 160;
    write_layout(store, row, placed, count);
}

static void write_luna_table(struct store *store, const char *table, const char *policy)
{
    struct luna_figure figure;
    for (unsigned i = 0; luna_next(&i, table, &figure);) {
        struct result_row row =
            made_up_row(luna_instance(figure.model.text), policy, figure.how.text,
                        strtoull(figure.printed.text, NULL, 10));
        row.peak_bytes -= row.peak_bytes == 98340 ? 36 : 0;
        row.load_bytes = 24000;
        made_up_write(store, row);
    }
}

static void write_luna(struct store *store)
{
    write_luna_table(store, LUNA_TABLE_1, "flat");
    write_luna_table(store, LUNA_TABLE_2, "recursive");
}

static void write_worked(struct store *store)
{
    static const char *const planners[] = {"naive", "sequential", "large_first", "short_first",
                                           "glpk"};
    static const uint64_t peaks[] = {69000000, 50000000, 48000000, 49000000, 45000000};
    for (unsigned i = 0; i < 5; i++) {
        struct result_row row = made_up_row("patent/figure4", "problem", planners[i], peaks[i]);
        row.status = i == 4 ? "optimal" : "feasible";
        row.execution = "";
        row.load_bytes = 40000000;
        row.lower_bound_bytes = i == 4 ? 45000000 : 0;
        made_up_write(store, row);
    }
}

static void write_networks(struct store *store)
{
    static const char *const instances[] = {"zoo/alexnet", "zoo/resnet50", "zoo/mobilenet_v2",
                                            "zoo/inception_v3"};
    static const char *const planners[] = {"descent",     "glpk",           "large_first",
                                           "naive",       "sequential",     "short_first",
                                           "tflm_greedy", "usmp_hill_climb"};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < 8; k++) {
            uint64_t load = 1000000 + 250000 * i;
            uint64_t extra = k == 1 ? 0 : k == 3 ? 20 * load : 7001 * ((i * 5 + k * 3) % 11) * k;
            struct result_row row = made_up_row(instances[i], "flat", planners[k], load + extra);
            row.load_bytes = load;
            row.status = k == 1 ? "optimal" : "feasible";
            if (i == 3 && k == 1) {
                row.status = "timeout";
                row.verdict = row.execution = "";
                row.peak_bytes = 0;
            }
            if (i == 2 && k == 7)
                row.verdict = "overlap";
            made_up_write(store, row);
        }
}

/* luna/denoise is there under flat and recursive already. */
static void write_policies(struct store *store)
{
    static const char *const policies[] = {"flat",  "sum",  "max",   "recursive",
                                           "hoist", "path", "select"};
    static const uint64_t peaks[] = {1200, 1500, 900, 1300, 1150, 1100, 1000};
    for (unsigned i = 0; i < 7; i++) {
        struct result_row row =
            made_up_row("generate:control_flow", policies[i], "large_first", peaks[i] + 100);
        row.load_bytes = peaks[i] - 50;
        row.addresses = i < 4 || i == 6 ? "run-time" : "static";
        if (i == 2) {
            row.execution = "damaged";
            row.fault = "'r' was overwritten by 's' on the path with branch 'then' of 'if'";
        }
        made_up_write(store, row);
        row.planner = "glpk";
        row.peak_bytes = peaks[i];
        row.lower_bound_bytes = i == 3 ? row.load_bytes : peaks[i];
        row.status = i == 3 ? "feasible" : "optimal";
        made_up_write(store, row);
    }
}

/* A graph of two tensors that live together as stored, and apart in another order. */
static void write_orders(struct store *store)
{
    static const char *const instances[] = {"wired/two", "wired/two@exact_order", "wired/two@fifo"};
    static const char *const digests[] = {"two", "apart", "together"};
    static const char *const orders[] = {"stored", "exact_order", "fifo"};
    for (unsigned i = 0; i < 3; i++) {
        struct error error;
        struct result_row row =
            made_up_row(instances[i], "flat", "large_first", i == 1 ? 200 : 300);
        struct result_rectangle placed[] = {{"a", 0, i == 1 ? 1 : 2, 0, 100, 0, 0},
                                            {"b", 1, 2, 100, i == 1 ? 100 : 200, 0, 0}};
        row.digest = digests[i];
        row.order_name = orders[i];
        row.order_status = i == 1 ? "optimal" : i ? "feasible" : "";
        row.load_bytes = row.peak_bytes;
        row.lower_bound_bytes = row.peak_bytes;
        row.order_load_bytes = i ? row.peak_bytes : 0;
        row.order_bound_bytes = i == 1 ? 200 : 0;
        row.order_ns = i ? 1000 * i : 0;
        CU_ASSERT_EQUAL_FATAL(store_write(store, &row, placed, 2, &error), STATUS_OK);
    }
}

/* Under serialised fewer bytes in more time, under launch_order a plan that is refused. */
static void write_streams(struct store *store)
{
    static const struct {
        const char *instance, *policy;
        uint64_t peak, bound, critical_path;
    } plans[] = {
        {"zoo/made_up", "path", 600, 600, 0},
        {"zoo/made_up?streams=2", "streams", 1000, 1000, 50},
        {"zoo/made_up?streams=2", "serialised", 600, 500, 75},
        {"zoo/made_up?streams=2", "launch_order", 550, 500, 50},
    };
    for (unsigned i = 0; i < sizeof plans / sizeof *plans; i++) {
        struct result_row row =
            made_up_row(plans[i].instance, plans[i].policy, "short_first", plans[i].peak);
        row.lower_bound_bytes = row.load_bytes = plans[i].bound;
        row.critical_path = plans[i].critical_path;
        row.work = 100;
        if (i == 3) {
            row.verdict = "overlap";
            row.execution = "damaged";
        }
        made_up_write(store, row);
    }
}

/* A is one of which the best is known. */
static void write_minimalloc(struct store *store)
{
    struct result_row row = made_up_row("A.1048576", "problem", "glpk", 1048576);
    row.digest = "867270c40049e51426870a7285d62a62d0e5bdab6deb8b39d728e7002b019118";
    row.options = "capacity=1048576";
    row.status = "optimal";
    row.execution = "";
    row.load_bytes = row.lower_bound_bytes = 1048576;
    row.nodes = 415;
    row.wall_ns = 2500000;
    row.curve = "0:1040384: 90000:1040384:1310720 700000:1048576:1310720 2400000:1048576:1048576";
    made_up_write(store, row);
    row.instance = row.digest = "AB.1048576";
    made_up_write(store, row);
}

static void write_measure(struct store *store, const char *instance, const char *topic,
                          const char *variant, const char *name, int64_t value)
{
    struct error error = ERROR_NONE;
    const struct measure measure = {.run = "made-up",
                                    .instance = instance,
                                    .digest = "digest",
                                    .topic = topic,
                                    .variant = variant,
                                    .name = name,
                                    .value = value,
                                    .host = "host",
                                    .build = "build 1",
                                    .started = "2026-01-02T03:04:05Z"};
    CU_ASSERT_EQUAL_FATAL(measures_write(store, &measure, 1, &error), STATUS_OK);
}

static void write_cached(struct store *store)
{
    static const char *const names[] = {"planner_ns", "plan_ns",       "plan_and_save_ns",
                                        "hit_ns",     "archive_bytes", "identical"};
    static const int64_t values[] = {2000000, 4000000, 5000000, 1000000, 2048, 1};
    for (int i = 0; i < 6; i++)
        write_measure(store, "zoo/inception_v3?dtype=float16", "cache", "glpk", names[i],
                      values[i]);
}

/* AlexNet slower than printed, ResNet-18 faster. */
static void write_throughput(struct store *store)
{
    static const char *const variants[] = {"float16 sync", "int8 sync", "float16 planned",
                                           "int8 planned"};
    for (int i = 0; i < 4; i++) {
        write_measure(store, "zoo/alexnet?dtype=float16", "throughput", variants[i], "total_ns",
                      i % 2 ? 1000000 : 2000000);
        write_measure(store, "zoo/resnet18?dtype=float16", "throughput", variants[i], "total_ns",
                      i % 2 ? 250000 : 500000);
    }
}

static void write_quantised(struct store *store)
{
    static const char *const names[] = {"bytes_before", "bytes_after", "snr_millidecibels"};
    for (int i = 0; i < 6; i++)
        write_measure(store, "zoo/resnet18?dtype=float16", "quantise", i < 3 ? "int8" : "int4",
                      names[i % 3], i % 3 ? 20000 : 40000);
    for (int i = 0; i < 3; i++)
        write_measure(store, "zoo/resnet18?dtype=float16", "quantise-dma",
                      (const char *const[]){"before sync", "int8 sync", "int4 sync"}[i], "total_ns",
                      4000000 >> i);
}

/* Ping-pong in the other order is beaten by planned as stored. */
static void write_order_front(struct store *store)
{
    static const struct {
        const char *variant;
        int64_t total_ns, on_chip_bytes;
    } points[] = {{"stored pingpong 000", 3000000, 2000},
                  {"stored planned 000", 2000000, 3000},
                  {"fifo pingpong 000", 2500000, 3000}};
    for (unsigned i = 0; i < 3; i++) {
        write_measure(store, "zoo/alexnet", "dma-orders", points[i].variant, "total_ns",
                      points[i].total_ns);
        write_measure(store, "zoo/alexnet", "dma-orders", points[i].variant, "on_chip_bytes",
                      points[i].on_chip_bytes);
    }
}

/* BodyDetect as published, FaceAlign a us off. */
static void write_transfers(struct store *store)
{
    static const struct {
        const char *instance, *variant, *name;
        int64_t value;
    } numbers[] = {{"luna/body_detect", "luna sync", "total_ns", 1712770000},
                   {"luna/body_detect", "luna pingpong", "total_ns", 1702147000},
                   {"luna/body_detect", "luna pingpong", "bound_ns", 1683008000},
                   {"luna/body_detect", "luna pingpong", "buffer_bytes", 1968},
                   {"luna/face_align", "luna sync", "total_ns", 2411415000}};
    write_measure(store, "luna/body_detect", "rates", "Conv", "operators", 2);
    write_measure(store, "luna/body_detect", "rates", "Conv", "operations", 3000);
    write_measure(store, "luna/body_detect", "rates", "Conv", "compute_ns", 1500);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        write_measure(store, numbers[i].instance, "dma", numbers[i].variant, numbers[i].name,
                      numbers[i].value);
}

static void write_front(struct store *store)
{
    static const struct {
        const char *variant;
        int64_t total_ns, on_chip_bytes;
    } points[] = {{"bound", 1000000, 0},
                  {"sync", 2000000, 3000},
                  {"pingpong", 1500000, 4000},
                  {"planned descent 000", 1250000, 3500},
                  {"planned descent 001", 1750000, 2500},
                  {"planned large_first 000", 1250000, 3750}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        write_measure(store, "zoo/alexnet", "dma-front", points[i].variant, "total_ns",
                      points[i].total_ns);
        write_measure(store, "zoo/alexnet", "dma-front", points[i].variant, "on_chip_bytes",
                      points[i].on_chip_bytes);
    }
}

/* All measures that a source's figures are held against, and some that only its other tables show:
   each figure differs. */
static void write_figures(struct store *store, const char *source)
{
    struct error error = ERROR_NONE;
    struct figure figure;
    for (unsigned row = 0; figures_next(source, &row, &figure);) {
        struct measure measure = {"made-up",
                                  figure.instance.text,
                                  "0",
                                  source,
                                  figure.variant.text,
                                  figure.measure.text,
                                  12345678,
                                  "host",
                                  "build",
                                  "started"};
        if (*figure.measure.text)
            CU_ASSERT_EQUAL_FATAL(measures_write(store, &measure, 1, &error), STATUS_OK);
    }
}

/* Two tensors, the second in the storage id of the first, which grows; a third in its place. */
static void write_nnvm(struct store *store)
{
    static const struct {
        const char *name;
        int64_t value;
    } measures[] = {{"a place", 1},  {"a bytes", 8},     {"a id", 0},        {"a step", 0},
                    {"a last", 1},   {"a variable", 0},  {"b place", 2},     {"b bytes", 16},
                    {"b id", 0},     {"b step", 2},      {"b last", 3},      {"b variable", 0},
                    {"b before", 8}, {"c over b", 1},    {"peak_bytes", 16}, {"load_bytes", 12},
                    {"pools", 1},    {"pool_bytes", 16}, {"in_place", 1}};
    struct error error = ERROR_NONE;
    for (unsigned i = 0; i < sizeof measures / sizeof *measures; i++) {
        struct measure measure = {
            "made-up",        "nnvm/made-up",    "0",    "nnvm",  "nnvm; in place",
            measures[i].name, measures[i].value, "host", "build", "started"};
        CU_ASSERT_EQUAL_FATAL(measures_write(store, &measure, 1, &error), STATUS_OK);
    }
}

/* What figures over runs are of: the same jobs, done before. */
static void write_earlier(struct store *store)
{
    static const char *const instances[] = {"zoo/alexnet", "zoo/resnet50"};
    static const char *const planners[] = {"descent", "tflm_greedy"};
    for (unsigned i = 0; i < 4; i++) {
        struct result_row row =
            made_up_row(instances[i % 2], "flat", planners[i / 2], 1300000 + i % 2 * 250000);
        row.run = "earlier";
        row.started = "2026-01-01T03:04:05Z";
        row.load_bytes = 1000000 + i % 2 * 250000;
        made_up_write(store, row);
    }
    struct result_row row = made_up_row("AB.1048576", "problem", "glpk", 1048576);
    row.run = "earlier";
    row.started = "2026-01-01T03:04:05Z";
    row.options = "capacity=1048576";
    row.execution = "";
    row.load_bytes = 1048576;
    row.nodes = 830;
    made_up_write(store, row);
}

void made_up_fill(struct store *store)
{
    write_nnvm(store);
    write_figures(store, "nnvm");
    write_figures(store, "wang2025");
    write_figures(store, "ge");
    write_figures(store, "patent");
    write_figures(store, "tflite");
    write_figures(store, "orders-published");
    write_figures(store, "minimalloc");
    write_figures(store, "xu2019");
    write_earlier(store);
    write_minimalloc(store);
    write_policies(store);
    write_streams(store);
    write_orders(store);
    write_cached(store);
    write_throughput(store);
    write_quantised(store);
    write_front(store);
    write_order_front(store);
    write_transfers(store);
    write_luna(store);
    write_worked(store);
    write_networks(store);
    write_figure1(store, "sequential", "ABCDEFG");
    write_figure1(store, "large_first", "CFADBEG");
    write_figure1(store, "short_first", "GCABDFE");
    write_figure2(store);
    write_figure4(store);
    write_fusion_detect(store, "flat", 489600, 0);
    write_fusion_detect(store, "recursive", 460800, 1);
}
