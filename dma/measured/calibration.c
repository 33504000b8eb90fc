#include "dma/measured/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/compare.h"
#include "core/memory.h"
#include "dma/measured/arithmetic.h"
#include "dma/measured/channel.h"

enum { SAMPLES = 15, ROUNDS = 4096, LINE_BYTES = 64, USUAL_CACHE_BYTES = 64 << 20 };
enum { SMALL_BYTES = 64, SIZE_STEP = 4, LEAST_LARGEST_BYTES = 4096 };

void calibration_cool(unsigned char *cold, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE_BYTES)
        cold[i]++;
}

static double find_median(double *sample)
{
    qsort(sample, SAMPLES, sizeof *sample, compare_real_items);
    return sample[SAMPLES / 2];
}

struct bench {
    struct channel *channel;
    unsigned char *to, *cold;
    size_t largest_bytes, cold_bytes;
};

static double measure_rounds(uint64_t rounds)
{
    static const float weights[ARITHMETIC_READ_BYTES / sizeof(float)] = {1};
    uint64_t began_ns = clock_monotonic_ns();
    arithmetic_run(weights, sizeof weights, rounds);
    return (double)(clock_monotonic_ns() - began_ns) / (double)rounds;
}

/* The median time of one round of arithmetic while a copy goes on. The rounds take about a quarter
   of the copy's time, so that the copy certainly lasts until the last of them. */
static double measure_busy_rounds(const struct bench *bench, double copy_ns, double round_ns)
{
    double sample[SAMPLES];
    uint64_t rounds = (uint64_t)(copy_ns / round_ns / 4) + 1;
    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t transfer =
            channel_start(bench->channel, bench->to, bench->cold + i * bench->largest_bytes,
                          bench->largest_bytes);
        sample[i] = measure_rounds(rounds);
        channel_wait(bench->channel, transfer);
    }
    return find_median(sample);
}

/* The median time of a copy of `bytes` bytes, each sample from memory that no cache holds. */
static double measure_copy(const struct bench *bench, size_t bytes)
{
    double sample[SAMPLES];
    calibration_cool(bench->cold, bench->cold_bytes);
    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t began_ns = clock_monotonic_ns();
        channel_wait(bench->channel,
                     channel_start(bench->channel, bench->to, bench->cold + i * bytes, bytes));
        sample[i] = (double)(clock_monotonic_ns() - began_ns);
    }
    return find_median(sample);
}

/* The median time that an operator needs to read weights for the first time after the other thread
   has copied them, when they still lie in that thread's cache. */
static double measure_fetch(const struct bench *bench)
{
    double sample[SAMPLES];
    volatile unsigned char seen;
    for (size_t i = 0; i < SAMPLES; i++) {
        channel_wait(bench->channel,
                     channel_start(bench->channel, bench->to,
                                   bench->cold + i * bench->largest_bytes, bench->largest_bytes));
        uint64_t began_ns = clock_monotonic_ns();
        seen = bench->to[bench->largest_bytes - 1];
        arithmetic_run(bench->to, bench->largest_bytes, 0);
        sample[i] = (double)(clock_monotonic_ns() - began_ns);
    }
    (void)seen;
    return find_median(sample);
}

double calibration_copy_ns(const struct calibration *calibration, uint64_t bytes)
{
    const uint64_t *size = calibration->copy_bytes;
    const double *ns = calibration->copy_ns;
    uint32_t above = 1;
    while (above + 1 < calibration->sizes && size[above] < bytes)
        above++;
    double slope = (ns[above] - ns[above - 1]) / (double)(size[above] - size[above - 1]);
    return fmax(ns[0], ns[above] + slope * ((double)bytes - (double)size[above]));
}

/* Copies are measured in ever larger sizes, up to the largest one that the programs need or that
   the table has room for. Where others use this machine too, a larger copy may seem to take less
   time than a smaller one, so each time is raised to that of the size before. */
static void measure_all(const struct bench *bench, struct calibration *calibration)
{
    double *copy_ns = calibration->copy_ns, sample[SAMPLES];
    uint64_t *copy_bytes = calibration->copy_bytes;
    size_t bytes = SMALL_BYTES;
    for (uint32_t i = 0; i < CALIBRATION_SIZES && bytes <= bench->largest_bytes; i++) {
        copy_bytes[i] = bytes;
        copy_ns[i] = fmax(measure_copy(bench, bytes), i ? copy_ns[i - 1] : 0);
        calibration->sizes = i + 1;
        bytes *= SIZE_STEP;
    }
    uint32_t last = calibration->sizes - 1;
    double byte_ns = (copy_ns[last] - copy_ns[0]) / (double)(copy_bytes[last] - copy_bytes[0]);
    double start_ns = copy_ns[0] - byte_ns * SMALL_BYTES;
    calibration->copy_bytes_per_second = byte_ns > 1e-3 ? (uint64_t)(1e9 / byte_ns) : UINT32_MAX;
    calibration->copy_start_ns = start_ns > 0 ? (uint64_t)start_ns : 0;
    for (int i = 0; i < SAMPLES; i++)
        sample[i] = measure_rounds(ROUNDS);
    double round_ns = calibration->round_ns = find_median(sample);
    calibration->fetch_ns = measure_fetch(bench);
    calibration_cool(bench->cold, bench->cold_bytes);
    double largest_ns = calibration_copy_ns(calibration, bench->largest_bytes);
    double busy_ns = measure_busy_rounds(bench, largest_ns, round_ns);
    calibration->contention = busy_ns > round_ns ? busy_ns / round_ns - 1 : 0;
}

static void close_bench(struct bench *bench)
{
    channel_close(bench->channel);
    memory_free_all(bench->to, bench->cold);
}

enum status calibration_measure(uint64_t largest_bytes, struct calibration *calibration,
                                struct error *error)
{
    SCOPED(close_bench) struct bench bench = {.largest_bytes = SMALL_BYTES};
    for (uint32_t i = 1; i < CALIBRATION_SIZES; i++)
        bench.largest_bytes *= SIZE_STEP;
    if (largest_bytes < bench.largest_bytes)
        bench.largest_bytes = (size_t)largest_bytes;
    if (largest_bytes < LEAST_LARGEST_BYTES)
        bench.largest_bytes = LEAST_LARGEST_BYTES;
    long cache_bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    calibration->cold_bytes =
        2 * (cache_bytes > 0 ? (size_t)cache_bytes : (size_t)USUAL_CACHE_BYTES);
    bench.cold_bytes = calibration->cold_bytes + SAMPLES * bench.largest_bytes;
    TRY(memory_create(&bench.to, bench.largest_bytes, 1, error));
    TRY(memory_create(&bench.cold, bench.cold_bytes, 1, error));
    memset(bench.to, 1, bench.largest_bytes);
    memset(bench.cold, 1, bench.cold_bytes);
    TRY(channel_open(&bench.channel, error));
    measure_all(&bench, calibration);
    return STATUS_OK;
}
