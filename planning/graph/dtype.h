#ifndef MEMPLAN_PLANNING_GRAPH_DTYPE_H
#define MEMPLAN_PLANNING_GRAPH_DTYPE_H

#include <stdbool.h>
#include <stdint.h>

/* The dtype table: rows 0 .. graph_dtypes() - 1, row 0 is "float32". */
uint32_t graph_dtypes(void);
const char *graph_dtype_name(uint8_t dtype);
uint32_t graph_dtype_bits(uint8_t dtype);
bool graph_dtype_find(const char *name, uint8_t *dtype);
/* The bytes of an element, of which its address is a multiple; 1 where several share a byte. */
uint64_t graph_dtype_alignment(uint8_t dtype);
/* Bytes of a shape; false on overflow. */
bool graph_shape_bytes(uint8_t dtype, const uint64_t *dimensions, uint32_t rank, uint64_t *bytes);

#endif
