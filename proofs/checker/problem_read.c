#include "proofs/checker/problem_read.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const int64_t MOST_STEP = UINT32_MAX - 1;

bool check_problem_add_buffer(struct problem *problem, const char *name, size_t length,
                              const struct buffer *buffer, struct fault *fault)
{
    if (buffer->size < 1 || buffer->alignment < 1 || buffer->fixed < BUFFER_FREE)
        return UNREADABLE(fault, "expected a size and an alignment of at least 1, and an offset of "
                                 "at least 0");
    if (problem->buffers == UINT32_MAX - 1)
        return UNREADABLE(fault, "found more than 2^32 - 2 buffers");
    NEED(check_grow((void **)&problem->buffer, &problem->buffer_room, problem->buffers,
                    sizeof *buffer, fault));
    struct buffer *added = &problem->buffer[problem->buffers];
    *added = *buffer;
    added->first = added->end = problem->segments;
    added->name = check_create(length + 1, 1, fault);
    NEED(added->name);
    memcpy(added->name, name, length);
    problem->buffers++;
    return true;
}

bool check_problem_add_segment(struct problem *problem, const struct segment *segment,
                               struct fault *fault)
{
    assert(problem->buffers > 0);
    struct buffer *buffer = &problem->buffer[problem->buffers - 1];
    bool follows = buffer->first < buffer->end;
    struct segment *last = follows ? &problem->segment[problem->segments - 1] : NULL;
    if (segment->lower < 0 || segment->lower >= segment->upper || segment->upper > MOST_STEP ||
        (last && segment->lower < last->upper))
        return UNREADABLE(fault, "expected segments that ascend and do not overlap");
    if (segment->begin < 0 || segment->begin >= segment->end || segment->end > buffer->size)
        return UNREADABLE(fault, "expected a window inside the buffer");
    if (last && last->upper == segment->lower && last->begin == segment->begin &&
        last->end == segment->end) {
        last->upper = segment->upper;
        return true;
    }
    NEED(check_grow((void **)&problem->segment, &problem->segment_room, problem->segments,
                    sizeof *segment, fault));
    problem->segment[problem->segments++] = *segment;
    buffer->end = problem->segments;
    return true;
}

/* A buffer and its name, while names are sorted. */
struct named {
    const char *name;
    uint32_t buffer;
};

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const struct named *)left)->name, ((const struct named *)right)->name);
}

bool check_problem_sort_names(struct problem *problem, struct fault *fault)
{
    if (!problem->buffers)
        return UNREADABLE(fault, "found no buffer, expected at least one");
    struct named *named = check_create(problem->buffers, sizeof *named, fault);
    problem->by_name = check_create(problem->buffers, sizeof *problem->by_name, fault);
    bool fine = named && problem->by_name;
    for (uint32_t b = 0; fine && b < problem->buffers; b++)
        named[b] = (struct named){problem->buffer[b].name, b};
    if (fine)
        qsort(named, problem->buffers, sizeof *named, compare_names);
    for (uint32_t b = 0; fine && b < problem->buffers; b++) {
        problem->by_name[b] = named[b].buffer;
        if (b && strcmp(named[b - 1].name, named[b].name) == 0)
            fine = UNREADABLE(fault, "found two buffers '%.60s'", named[b].name);
    }
    free(named);
    return fine;
}

bool check_problem_read(const char *path, bool is_plan, struct problem *problem,
                        struct fault *fault)
{
    size_t length = strlen(path);
    bool is_json = length > 5 && strcmp(path + length - 5, ".json") == 0;
    /* Plans are kept compressed, as .json.gz. */
    if (is_json || (is_plan && strstr(path, ".json")))
        return check_problem_read_json(path, is_plan, problem, fault);
    return check_problem_read_csv(path, problem, fault) && check_problem_sort_names(problem, fault);
}
