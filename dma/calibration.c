#include "dma/calibration.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/memory.h"
#include "dma/arithmetic.h"
#include "dma/channel.h"

enum { SAMPLES = 15, ROUNDS = 4096, LINE_BYTES = 64, USUAL_CACHE_BYTES = 64 << 20 };
enum { SMALL_BYTES = 64, LEAST_USUAL_BYTES = 4096, MOST_USUAL_BYTES = 8 << 20 };

size_t calibration_cold_bytes(void)
{
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return 2 * (bytes > 0 ? (size_t)bytes : (size_t)USUAL_CACHE_BYTES);
}

void calibration_cool(unsigned char *cold, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE_BYTES)
        cold[i]++;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double find_median(double *sample)
{
    qsort(sample, SAMPLES, sizeof *sample, compare);
    return sample[SAMPLES / 2];
}

struct bench {
    struct channel *channel;
    unsigned char *to, *cold;
    size_t usual_bytes, cold_bytes;
};

static double measure_rounds(uint64_t rounds)
{
    static const float weights[ARITHMETIC_READ_BYTES / sizeof(float)] = {1};
    uint64_t began_ns = clock_monotonic_ns();
    arithmetic_run(weights, sizeof weights, rounds);
    return (double)(clock_monotonic_ns() - began_ns) / (double)rounds;
}

static double measure_quiet_rounds(void)
{
    double sample[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        sample[i] = measure_rounds(ROUNDS);
    return find_median(sample);
}

/* While a copy goes on; a quarter of its time, so that it does until the end. */
static double measure_busy_rounds(const struct bench *bench, double copy_ns, double round_ns)
{
    double sample[SAMPLES];
    uint64_t rounds = (uint64_t)(copy_ns / round_ns / 4) + 1;
    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t transfer = channel_start(bench->channel, bench->to,
                                          bench->cold + i * bench->usual_bytes, bench->usual_bytes);
        sample[i] = measure_rounds(rounds);
        channel_wait(bench->channel, transfer);
    }
    return find_median(sample);
}

/* Of copies of so many bytes, one after another from cold memory. */
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

static void fit_line(double small_ns, double usual_ns, size_t usual_bytes,
                     struct calibration *calibration)
{
    double byte_ns = (usual_ns - small_ns) / (double)(usual_bytes - SMALL_BYTES);
    double start_ns = small_ns - byte_ns * SMALL_BYTES;
    calibration->copy_bytes_per_second = byte_ns > 1e-3 ? (uint64_t)(1e9 / byte_ns) : UINT32_MAX;
    calibration->copy_start_ns = start_ns > 0 ? (uint64_t)start_ns : 0;
}

static void measure_all(const struct bench *bench, struct calibration *calibration)
{
    double small_ns = measure_copy(bench, SMALL_BYTES);
    double usual_ns = measure_copy(bench, bench->usual_bytes);
    fit_line(small_ns, usual_ns, bench->usual_bytes, calibration);
    calibration->round_ns = measure_quiet_rounds();
    calibration_cool(bench->cold, bench->cold_bytes);
    double busy_ns = measure_busy_rounds(bench, usual_ns, calibration->round_ns);
    calibration->contention =
        busy_ns > calibration->round_ns ? busy_ns / calibration->round_ns - 1 : 0;
}

static enum status open_bench(struct bench *bench, struct error *error)
{
    bench->cold_bytes = calibration_cold_bytes() + SAMPLES * bench->usual_bytes;
    TRY(memory_create(&bench->to, bench->usual_bytes, 1, error));
    TRY(memory_create(&bench->cold, bench->cold_bytes, 1, error));
    memset(bench->to, 1, bench->usual_bytes);
    memset(bench->cold, 1, bench->cold_bytes);
    return channel_open(&bench->channel, error);
}

enum status calibration_measure(uint64_t usual_bytes, struct calibration *calibration,
                                struct error *error)
{
    struct bench bench = {.usual_bytes = LEAST_USUAL_BYTES};
    if (usual_bytes > LEAST_USUAL_BYTES)
        bench.usual_bytes = usual_bytes < MOST_USUAL_BYTES ? usual_bytes : MOST_USUAL_BYTES;
    enum status status = open_bench(&bench, error);
    if (!status)
        measure_all(&bench, calibration);
    channel_close(bench.channel);
    memory_free(bench.to);
    memory_free(bench.cold);
    return status;
}
