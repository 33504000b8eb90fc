#ifndef MEMPLAN_DMA_MEASURED_ARITHMETIC_H
#define MEMPLAN_DMA_MEASURED_ARITHMETIC_H

#include <stddef.h>
#include <stdint.h>

/* Real arithmetic: multiplications and additions with at most the first ARITHMETIC_READ_BYTES of
   what it is given, the same amount in each round. In a file of its own, so that the compiler makes
   one piece of code of it for whoever calls it. */
enum { ARITHMETIC_READ_BYTES = 1024 };
void arithmetic_run(const void *weights, size_t bytes, uint64_t rounds);

#endif
