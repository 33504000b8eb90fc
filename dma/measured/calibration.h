#ifndef MEMPLAN_DMA_MEASURED_CALIBRATION_H
#define MEMPLAN_DMA_MEASURED_CALIBRATION_H

#include "core/error.h"
#include "dma/timing/hardware.h"

/* What this machine does in the place of a chip: a thread copies (channel.h), another one computes.
   Small measurements give the time of copies of several sizes from memory that no cache holds, of
   one round of arithmetic, by how much that grows while copies go on, and of fetching weights from
   the cache of the thread that copied them. */
enum { CALIBRATION_SIZES = 10 };

struct calibration {
    /* From 64 on, each four times the one before. */
    uint64_t copy_bytes[CALIBRATION_SIZES];
    /* From starting such a copy to its end being seen; a larger one takes no less. */
    double copy_ns[CALIBRATION_SIZES];
    uint32_t sizes;                                /* at least 2 */
    uint64_t copy_bytes_per_second, copy_start_ns; /* a straight line through first and last */
    double round_ns;
    double contention; /* at least 0; 1 for twice the time */
    double fetch_ns;   /* before an operator with weights computes */
    size_t cold_bytes; /* memory that is larger than the caches */
};

/* Up to the size of the largest copy. Takes about a second on an idle machine. STATUS_INTERNAL
   without memory or a second thread. */
enum status calibration_measure(uint64_t largest_bytes, struct calibration *calibration,
                                struct error *error);
/* Between the sizes along a straight line, above them along that of the last two, below them as
   long as the smallest takes. */
double calibration_copy_ns(const struct calibration *calibration, uint64_t bytes);

/* Walks over cold_bytes of memory, after which nothing else is left in the caches. */
void calibration_cool(unsigned char *cold, size_t bytes);

#endif
