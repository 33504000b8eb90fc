#include "planning/graph/dtype.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"

static const struct {
    const char *name;
    uint32_t bits;
} dtypes[] = {
    {"float32", 32}, {"float16", 16}, {"bfloat16", 16}, {"float64", 64}, {"int8", 8},
    {"uint8", 8},    {"int16", 16},   {"uint16", 16},   {"int32", 32},   {"uint32", 32},
    {"int64", 64},   {"uint64", 64},  {"bool", 8},      {"int4", 4},
};

uint32_t graph_dtypes(void)
{
    return sizeof dtypes / sizeof *dtypes;
}

const char *graph_dtype_name(uint8_t dtype)
{
    assert(dtype < graph_dtypes());
    return dtypes[dtype].name;
}

uint32_t graph_dtype_bits(uint8_t dtype)
{
    assert(dtype < graph_dtypes());
    return dtypes[dtype].bits;
}

uint64_t graph_dtype_alignment(uint8_t dtype)
{
    uint32_t bits = graph_dtype_bits(dtype);
    return bits < 8 ? 1 : bits / 8;
}

bool graph_dtype_find(const char *name, uint8_t *dtype)
{
    for (uint8_t i = 0; i < graph_dtypes(); i++)
        if (strcmp(dtypes[i].name, name) == 0) {
            *dtype = i;
            return true;
        }
    return false;
}

/* Multiplies elements, not bits, so that no shape below 2^64 bytes overflows. Of the types only
   int4 has fewer than 8 bits. */
bool graph_shape_bytes(uint8_t dtype, const uint64_t *dimensions, uint32_t rank, uint64_t *bytes)
{
    assert(dtype < graph_dtypes());
    uint32_t bits = dtypes[dtype].bits;
    assert(bits == 4 || bits % 8 == 0);
    uint64_t elements = 1;
    for (uint32_t i = 0; i < rank; i++)
        if (!checked_multiply(elements, dimensions[i], &elements))
            return false;
    if (bits < 8) {
        *bytes = elements / 2 + elements % 2;
        return true;
    }
    return checked_multiply(elements, bits / 8, bytes);
}
