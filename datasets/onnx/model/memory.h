#ifndef MEMPLAN_DATASETS_ONNX_MODEL_MEMORY_H
#define MEMPLAN_DATASETS_ONNX_MODEL_MEMORY_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>

/* Memory that is given back all at once, taken from core/memory.h: a model's messages are cut and
   joined while it is read, so that none of them knows who owns its parts. */
struct onnx_memory {
    void **block; /* [blocks] */
    size_t blocks, block_capacity;
    char *next; /* the unused bytes of the newest block */
    size_t left;
    bool failed; /* an allocation failed, which protobuf-c does not report when it gives up */
    ProtobufCAllocator allocator;
};

void onnx_memory_start(struct onnx_memory *memory); /* the struct must not be moved */
void onnx_memory_free(struct onnx_memory *memory);

/* Zeroed, aligned for numbers and pointers; NULL when there is none. */
void *onnx_memory_allocate(struct onnx_memory *memory, size_t bytes);

/* "text" or, with a number, "text_2"; NULL when there is no memory. */
char *onnx_memory_name(struct onnx_memory *memory, const char *text, unsigned number);

#endif
