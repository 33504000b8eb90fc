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

bool check_problem_sort(struct problem *problem, struct fault *fault)
{
    if (!problem->buffers)
        return UNREADABLE(fault, "found no buffer, expected at least one");
    problem->by_name = check_create(problem->buffers, sizeof *problem->by_name, fault);
    NEED(problem->by_name);
    for (uint32_t b = 0; b < problem->buffers; b++)
        problem->by_name[b] = (struct named){problem->buffer[b].name, b};
    qsort(problem->by_name, problem->buffers, sizeof *problem->by_name,
          check_problem_compare_names);
    for (uint32_t b = 1; b < problem->buffers; b++)
        if (strcmp(problem->by_name[b - 1].name, problem->by_name[b].name) == 0)
            return UNREADABLE(fault, "found two buffers '%.60s'", problem->by_name[b].name);
    return true;
}

bool check_problem_read(const char *path, bool is_plan, struct problem *problem,
                        struct fault *fault)
{
    size_t length = strlen(path);
    bool is_json = length > 5 && strcmp(path + length - 5, ".json") == 0;
    /* A plan may also be compressed, with a name that ends in .json.gz. */
    return is_json || (is_plan && strstr(path, ".json"))
               ? check_problem_read_json(path, is_plan, problem, fault)
               : check_problem_read_csv(path, problem, fault);
}
