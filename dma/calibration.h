#ifndef MEMPLAN_DMA_CALIBRATION_H
#define MEMPLAN_DMA_CALIBRATION_H

#include "core/error.h"
#include "dma/hardware.h"

/* What this machine does in the place of a chip: a thread copies (channel.h), another one computes.
   Small measurements fix a straight line for copies from memory that no cache holds, through a very
   small and a usual size, the time of one round of arithmetic, and by how much that grows while
   copies go on. */
struct calibration {
    uint64_t copy_bytes_per_second;
    uint64_t copy_start_ns; /* from starting a copy of nothing to its end being seen */
    double round_ns;
    double contention; /* at least 0; 1 for twice the time */
};

/* Takes less than a second on an idle machine. STATUS_INTERNAL without memory or a second thread.
 */
enum status calibration_measure(uint64_t usual_bytes, struct calibration *calibration,
                                struct error *error);

/* Memory that is larger than the caches. */
size_t calibration_cold_bytes(void);
/* Walks over so much memory that nothing else is left in the caches. */
void calibration_cool(unsigned char *cold, size_t bytes);

#endif
