#include "datasets/json/memory.h"

#include <pthread.h>

#include "core/memory.h"

static _Thread_local struct json_memory *loading;

static void *allocate_block(size_t bytes)
{
    struct error ignored;
    if (!loading)
        return memory_allocate(1, bytes);
    if (memory_reserve(&loading->block, &loading->block_capacity, loading->blocks + 1,
                       sizeof *loading->block, &ignored))
        longjmp(loading->escape, 1);
    void *block = memory_allocate(1, bytes);
    if (!block)
        longjmp(loading->escape, 1);
    return loading->block[loading->blocks++] = block;
}

/* What jansson gives back while it loads (copies of keys, mostly) stays until the document goes. */
static void free_block(void *block)
{
    if (!loading)
        memory_free(block);
}

static void hook_jansson(void)
{
    json_set_alloc_funcs(allocate_block, free_block);
}

/* Holds no variables that change between setjmp and longjmp. */
static json_t *load_bytes(const char *bytes, size_t length, json_error_t *fault)
{
    if (setjmp(loading->escape)) {
        loading->failed = true;
        return NULL;
    }
    return json_loadb(bytes, length, JSON_REJECT_DUPLICATES, fault);
}

json_t *json_memory_load(struct json_memory *memory, const char *bytes, size_t length,
                         json_error_t *fault)
{
    static pthread_once_t hooked = PTHREAD_ONCE_INIT;
    pthread_once(&hooked, hook_jansson);
    loading = memory;
    json_t *root = load_bytes(bytes, length, fault);
    loading = NULL;
    return root;
}

void json_memory_free(struct json_memory *memory)
{
    for (size_t i = 0; i < memory->blocks; i++)
        memory_free(memory->block[i]);
    memory_free(memory->block);
    *memory = (struct json_memory){0};
}
