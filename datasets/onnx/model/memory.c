#include "datasets/onnx/model/memory.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"

enum { BLOCK_BYTES = 64 * 1024, ALIGNMENT = 8 };

static void *add_block(struct onnx_memory *memory, size_t bytes)
{
    struct error ignored;
    if (memory_reserve(&memory->block, &memory->block_capacity, memory->blocks + 1,
                       sizeof *memory->block, &ignored))
        return NULL;
    void *block = memory_allocate(1, bytes);
    if (block)
        memory->block[memory->blocks++] = block;
    return block;
}

void *onnx_memory_allocate(struct onnx_memory *memory, size_t bytes)
{
    if (bytes > SIZE_MAX / 2) {
        memory->failed = true;
        return NULL;
    }
    size_t rounded = (bytes ? bytes + ALIGNMENT - 1 : ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    void *found = memory->next;
    if (rounded > BLOCK_BYTES / 4) {
        found = add_block(memory, rounded);
    } else if (rounded > memory->left) {
        found = add_block(memory, BLOCK_BYTES);
        memory->next = found ? (char *)found + rounded : NULL;
        memory->left = found ? BLOCK_BYTES - rounded : 0;
    } else {
        memory->next += rounded;
        memory->left -= rounded;
    }
    memory->failed |= !found;
    return found;
}

static void *allocate_message(void *memory, size_t bytes)
{
    return onnx_memory_allocate(memory, bytes);
}

/* Frees nothing, since all blocks are freed together. */
static void keep_message(void *memory, void *block)
{
    (void)memory, (void)block;
}

void onnx_memory_start(struct onnx_memory *memory)
{
    *memory = (struct onnx_memory){.allocator = {allocate_message, keep_message, memory}};
}

void onnx_memory_free(struct onnx_memory *memory)
{
    for (size_t i = 0; i < memory->blocks; i++)
        memory_free(memory->block[i]);
    memory_free(memory->block);
    *memory = (struct onnx_memory){0};
}

char *onnx_memory_name(struct onnx_memory *memory, const char *text, unsigned number)
{
    size_t bytes = strlen(text) + 16;
    char *name = onnx_memory_allocate(memory, bytes);
    if (name && number)
        snprintf(name, bytes, "%s_%u", text, number);
    else if (name)
        memcpy(name, text, bytes - 15);
    return name;
}
