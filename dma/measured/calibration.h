#ifndef MEMPLAN_DMA_MEASURED_CALIBRATION_H
#define MEMPLAN_DMA_MEASURED_CALIBRATION_H

#include "core/error.h"
#include "dma/timing/hardware.h"

/* How fast this machine is when it stands for a chip: one thread copies (channel.h), another one
   computes. Small measurements give the time of copies of several sizes from memory that no cache
   holds, the time of one round of arithmetic, by how much a round slows down while copies go on,
   and the time to fetch weights from the cache of the thread that copied them. */
enum { CALIBRATION_SIZES = 10 };

struct calibration {
    /* The sizes that were copied: 64 bytes, then each four times the one before. */
    uint64_t copy_bytes[CALIBRATION_SIZES];
    /* The time from starting a copy of that size until its end is seen; a larger copy never takes
       less. */
    double copy_ns[CALIBRATION_SIZES];
    uint32_t sizes; /* at least 2 */
    /* The straight line through the smallest and the largest size. */
    uint64_t copy_bytes_per_second, copy_start_ns;
    double round_ns;
    /* The share by which a round takes longer while a copy goes on: 0 for no longer, 1 for twice
       the time. */
    double contention;
    double fetch_ns;   /* time to fetch copied weights before an operator computes with them */
    size_t cold_bytes; /* walking over this much memory empties the caches */
};

/* Measures copies up to the largest that is asked for, and the rest. Takes about a second on an
   idle machine. STATUS_INTERNAL without memory or a second thread. */
enum status calibration_measure(uint64_t largest_bytes, struct calibration *calibration,
                                struct error *error);
/* The time of a copy of any size: interpolated between the measured sizes, along the line through
   the last two above them, and as long as the smallest one below them. */
double calibration_copy_ns(const struct calibration *calibration, uint64_t bytes);

/* Walks over `bytes` bytes of memory, so that the caches hold nothing else afterwards. */
void calibration_cool(unsigned char *cold, size_t bytes);

#endif
