#ifndef MEMPLAN_DMA_MEASURED_ARITHMETIC_H
#define MEMPLAN_DMA_MEASURED_ARITHMETIC_H

#include <stddef.h>
#include <stdint.h>

/* Real arithmetic to keep the processor busy: each round multiplies and adds the first
   ARITHMETIC_READ_BYTES of the weights, or all of them where there are fewer. It has a file of its
   own, so that every caller runs the same machine code and rounds take equally long everywhere. */
enum { ARITHMETIC_READ_BYTES = 1024 };
void arithmetic_run(const void *weights, size_t bytes, uint64_t rounds);

#endif
