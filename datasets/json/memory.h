#ifndef MEMPLAN_DATASETS_JSON_MEMORY_H
#define MEMPLAN_DATASETS_JSON_MEMORY_H

#include <jansson.h>
#include <setjmp.h>
#include <stdbool.h>

/* jansson's memory, taken from core/memory.h. jansson 2.14 overlooks failed allocations while it
   collects a token (lex_save in load.c) and then writes beyond its buffer, so that it must never
   see one: loading is left at the first failure. */
struct json_memory {
    void **block; /* [blocks] all that was allocated while loading */
    size_t blocks, block_capacity;
    jmp_buf escape;
    bool failed; /* no memory */
};

/* The document of a text; NULL with fault filled, or NULL with memory->failed set. The document and
   its values are freed by json_memory_free only, not by json_decref. */
json_t *json_memory_load(struct json_memory *memory, const char *bytes, size_t length,
                         json_error_t *fault);
void json_memory_free(struct json_memory *memory); /* one that was zeroed and never used is fine */

#endif
