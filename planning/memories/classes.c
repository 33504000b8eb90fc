#include "planning/memories/classes.h"

#include <assert.h>

#include "core/memory.h"

/* Finds the first buffer of the class of a buffer: parent[b] is an earlier buffer of the class of
   b, and the first one is its own parent. */
static uint32_t find_root(uint32_t *parent, uint32_t buffer)
{
    assert(parent[buffer] <= buffer);
    while (parent[buffer] != buffer) {
        parent[buffer] = parent[parent[buffer]];
        buffer = parent[buffer];
    }
    return buffer;
}

static void join_classes(uint32_t *parent, struct problem_pair pair)
{
    uint32_t a = find_root(parent, pair.first), b = find_root(parent, pair.second);
    parent[a > b ? a : b] = a > b ? b : a;
}

enum status memory_classes_create(const struct memory_problem *problem,
                                  struct memory_classes *classes, struct error *error)
{
    uint32_t buffers = problem->problem->buffers, memories = problem->memories;
    assert(memories > 0 && !classes->of);
    SCOPED(memory_release) uint32_t *parent = NULL;
    SCOPED(memory_release) uint32_t *next = NULL;
    classes->memories = memories;
    TRY(memory_create_all(buffers, error, &parent, &next, &classes->of, &classes->member,
                          &classes->size));
    TRY(memory_create(&classes->first, (size_t)buffers + 1, sizeof(uint32_t), error));
    TRY(memory_create(&classes->allowed, (size_t)buffers * memories, sizeof(bool), error));
    for (uint32_t b = 0; b < buffers; b++)
        parent[b] = b;
    for (uint32_t i = 0; i < problem->colocations; i++)
        join_classes(parent, problem->colocation[i]);
    for (size_t i = 0; i < (size_t)buffers * memories; i++)
        classes->allowed[i] = true;
    for (uint32_t b = 0; b < buffers; b++) {
        uint32_t root = find_root(parent, b);
        uint32_t c = classes->of[b] = root == b ? classes->count++ : classes->of[root];
        assert(c < classes->count && problem->problem->size[b] > 0);
        classes->first[c + 1]++;
        if (problem->problem->size[b] > classes->size[c])
            classes->size[c] = problem->problem->size[b];
        for (uint32_t m = 0; m < memories; m++)
            classes->allowed[(size_t)c * memories + m] &= memory_problem_allows(problem, b, m);
    }
    for (uint32_t c = 0; c < classes->count; c++)
        next[c] = classes->first[c + 1] += classes->first[c];
    assert(classes->first[classes->count] == buffers);
    for (uint32_t b = buffers; b-- > 0;)
        classes->member[--next[classes->of[b]]] = b;
    return STATUS_OK;
}

void memory_classes_free(struct memory_classes *classes)
{
    memory_free_all(classes->of, classes->first, classes->member, classes->size, classes->allowed);
    *classes = (struct memory_classes){0};
}
