#include "dma/measured/arithmetic.h"

#include <string.h>

enum { LANES = 16, VALUES = ARITHMETIC_READ_BYTES / sizeof(float) };

static volatile float sink;

void arithmetic_run(const void *weights, size_t bytes, uint64_t rounds)
{
    float value[VALUES] = {0}, lane[LANES] = {0}, sum = 0;
    memcpy(value, weights, bytes < sizeof value ? bytes : sizeof value);
    for (uint64_t r = 0; r < rounds; r++)
        for (size_t i = 0; i < VALUES; i += LANES)
            for (size_t k = 0; k < LANES; k++)
                lane[k] = lane[k] * 0.5f + value[i + k];
    for (size_t k = 0; k < LANES; k++)
        sum += lane[k];
    sink = sum;
}
