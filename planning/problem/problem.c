#include "planning/problem/problem.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"

enum status problem_create(struct problem **created, const char *name, struct error *error)
{
    struct problem *problem;
    TRY(memory_create(&problem, 1, sizeof *problem, error));
    problem->line_end = PROBLEM_NO_LINE_END;
    enum status status = names_add(&problem->name, name, error);
    if (status) {
        problem_free(problem);
        return status;
    }
    *created = problem;
    return STATUS_OK;
}

void problem_free(struct problem *problem)
{
    if (!problem)
        return;
    names_free(&problem->name);
    names_free(&problem->names);
    memory_free(problem->note);
    memory_free(problem->size);
    memory_free(problem->any_alignment);
    memory_free(problem->any_fixed);
    memory_free(problem->hint);
    memory_free(problem->first);
    memory_free(problem->lower);
    memory_free(problem->upper);
    memory_free(problem->any_window_lower);
    memory_free(problem->any_window_upper);
    memory_free(problem->clock);
    memory_free(problem);
}

static enum status check_buffer(const struct problem_buffer *buffer, struct error *error)
{
    uint64_t end;
    if (!buffer->size)
        return error_set(error, STATUS_BAD_INPUT, "buffer '%s' has size 0, expected at least 1",
                         buffer->name);
    if (!buffer->alignment)
        return error_set(error, STATUS_BAD_INPUT,
                         "buffer '%s' has alignment 0, expected at least 1", buffer->name);
    if (buffer->fixed_offset == PROBLEM_FREE)
        return STATUS_OK;
    if (buffer->fixed_offset % buffer->alignment)
        return error_set(error, STATUS_BAD_INPUT,
                         "buffer '%s' has offset %llu, expected a multiple of its alignment %llu",
                         buffer->name, (unsigned long long)buffer->fixed_offset,
                         (unsigned long long)buffer->alignment);
    if (!checked_add(buffer->fixed_offset, buffer->size, &end) || end > INT64_MAX)
        return error_set(error, STATUS_BAD_INPUT, "buffer '%s' ends beyond 2^63 - 1 bytes",
                         buffer->name);
    return STATUS_OK;
}

static enum status reserve_buffer(struct problem *problem, struct error *error)
{
    size_t needed = (size_t)problem->buffers + 1;
    size_t *capacity = problem->buffer_capacity;
    TRY(memory_reserve(&problem->size, &capacity[0], needed, sizeof *problem->size, error));
    return memory_reserve(&problem->first, &capacity[4], needed + 1, sizeof *problem->first, error);
}

/* Sets the hint of the buffer that is being added. Most problems have no hints and then no array of
   them. */
static enum status add_hint(struct problem *problem, int64_t hint, struct error *error)
{
    bool is_first = !problem->hint;
    if (is_first && hint < 0)
        return STATUS_OK;
    TRY(memory_reserve(&problem->hint, &problem->buffer_capacity[3], (size_t)problem->buffers + 1,
                       sizeof *problem->hint, error));
    for (uint32_t b = 0; is_first && b < problem->buffers; b++)
        problem->hint[b] = -1;
    problem->hint[problem->buffers] = hint;
    return STATUS_OK;
}

/* A value that most problems have the same for all buffers: the array is only made when some buffer
   has another one. */
struct rare {
    uint64_t **items; /* [buffers] or NULL */
    size_t *capacity;
    uint64_t usual;
};

static struct rare get_alignments(struct problem *problem)
{
    return (struct rare){&problem->any_alignment, &problem->buffer_capacity[1], 1};
}

static struct rare get_fixed(struct problem *problem)
{
    return (struct rare){&problem->any_fixed, &problem->buffer_capacity[2], PROBLEM_FREE};
}

/* Sets the value of one of so many buffers, of which the last may be about to be added. */
static enum status set_rare(struct rare rare, uint32_t buffers, uint32_t buffer, uint64_t value,
                            struct error *error)
{
    bool is_first = !*rare.items;
    if (is_first && value == rare.usual)
        return STATUS_OK;
    TRY(memory_reserve(rare.items, rare.capacity, buffers, sizeof **rare.items, error));
    for (uint32_t b = 0; is_first && b < buffers; b++)
        (*rare.items)[b] = rare.usual;
    (*rare.items)[buffer] = value;
    return STATUS_OK;
}

int64_t problem_hint(const struct problem *problem, uint32_t buffer)
{
    assert(buffer < problem->buffers);
    return problem->hint ? problem->hint[buffer] : -1;
}

enum status problem_add_buffer(struct problem *problem, const struct problem_buffer *buffer,
                               struct error *error)
{
    uint32_t b = problem->buffers;
    assert(problem->names.count == b);
    TRY(check_buffer(buffer, error));
    TRY(reserve_buffer(problem, error));
    TRY(add_hint(problem, buffer->hint, error));
    TRY(set_rare(get_alignments(problem), b + 1, b, buffer->alignment, error));
    TRY(set_rare(get_fixed(problem), b + 1, b, buffer->fixed_offset, error));
    TRY(names_add(&problem->names, buffer->name, error));
    problem->size[b] = buffer->size;
    assert(b == 0 || problem->first[b] == problem->segments);
    problem->first[b] = problem->segments;
    problem->first[b + 1] = problem->segments;
    problem->buffers++;
    return STATUS_OK;
}

static enum status reserve_segment(struct problem *problem, struct error *error)
{
    size_t needed = (size_t)problem->segments + 1;
    size_t *capacity = problem->segment_capacity;
    if (problem->segments >= UINT32_MAX / 2)
        return error_set(error, STATUS_BAD_INPUT, "more than %u segments", UINT32_MAX / 2);
    TRY(memory_reserve(&problem->lower, &capacity[0], needed, sizeof *problem->lower, error));
    return memory_reserve(&problem->upper, &capacity[1], needed, sizeof *problem->upper, error);
}

/* Adds the window of the segment that is being added. No windows are kept as long as each buffer
   has one segment that uses all of it; the first segment that is different makes the arrays. */
static enum status add_window(struct problem *problem, const struct problem_segment *segment,
                              struct error *error)
{
    uint32_t s = problem->segments;
    size_t *capacity = problem->segment_capacity, needed = (size_t)s + 1;
    bool is_first = !problem->any_window_upper;
    if (is_first && s == problem->buffers - 1 && !segment->window_lower &&
        segment->window_upper == problem->size[s])
        return STATUS_OK;
    TRY(memory_reserve(&problem->any_window_lower, &capacity[2], needed,
                       sizeof *problem->any_window_lower, error));
    TRY(memory_reserve(&problem->any_window_upper, &capacity[3], needed,
                       sizeof *problem->any_window_upper, error));
    for (uint32_t i = 0; is_first && i < s; i++) {
        problem->any_window_lower[i] = 0;
        problem->any_window_upper[i] = problem->size[i];
    }
    problem->any_window_lower[s] = segment->window_lower;
    problem->any_window_upper[s] = segment->window_upper;
    return STATUS_OK;
}

static enum status check_segment(const struct problem *problem, struct problem_segment segment,
                                 struct error *error)
{
    uint32_t b = problem->buffers - 1;
    const char *name = names_get(&problem->names, b);
    uint32_t last = problem->segments;
    if (segment.lower >= segment.upper)
        return error_set(error, STATUS_BAD_INPUT,
                         "buffer '%s' lives in [%u, %u), expected lower < upper", name,
                         segment.lower, segment.upper);
    if (last > problem->first[b] && problem->upper[last - 1] > segment.lower)
        return error_set(error, STATUS_BAD_INPUT,
                         "buffer '%s' lives from %u after it lived to %u, expected segments in "
                         "order that do not overlap",
                         name, segment.lower, problem->upper[last - 1]);
    if (segment.window_lower >= segment.window_upper || segment.window_upper > problem->size[b])
        return error_set(
            error, STATUS_BAD_INPUT,
            "buffer '%s' uses the window [%llu, %llu), expected one inside its %llu bytes", name,
            (unsigned long long)segment.window_lower, (unsigned long long)segment.window_upper,
            (unsigned long long)problem->size[b]);
    return STATUS_OK;
}

enum status problem_add_segment(struct problem *problem, struct problem_segment segment,
                                struct error *error)
{
    assert(problem->buffers > 0);
    TRY(check_segment(problem, segment, error));
    TRY(reserve_segment(problem, error));
    TRY(add_window(problem, &segment, error));
    uint32_t s = problem->segments++;
    problem->lower[s] = segment.lower;
    problem->upper[s] = segment.upper;
    assert(problem->first[problem->buffers] == s);
    problem->first[problem->buffers] = problem->segments;
    return STATUS_OK;
}

uint64_t problem_fixed_end(const struct problem *problem)
{
    uint64_t end = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE &&
            problem_fixed_offset(problem, b) + problem->size[b] > end)
            end = problem_fixed_offset(problem, b) + problem->size[b];
    return end;
}

/* Adds what a buffer that is not fixed may take: its size and all that its alignment can cost. */
static bool add_padded(const struct problem *problem, uint32_t b, uint64_t *sum)
{
    uint64_t padded;
    if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
        return true;
    return checked_add(problem->size[b], problem_alignment(problem, b) - 1, &padded) &&
           checked_add(*sum, padded, sum) && *sum <= INT64_MAX;
}

static bool is_live(const struct problem *problem, uint32_t b)
{
    return problem->first[b] < problem->first[b + 1];
}

uint32_t problem_find_fault(const struct problem *problem)
{
    uint64_t sum = problem_fixed_end(problem);
    uint32_t b = 0;
    while (b < problem->buffers && is_live(problem, b) && add_padded(problem, b, &sum))
        b++;
    return b;
}

static bool sizes_fit(const struct problem *problem, uint32_t buffers)
{
    uint64_t sum = 0;
    bool fit = true;
    for (uint32_t b = 0; fit && b < buffers; b++)
        if (problem_fixed_offset(problem, b) == PROBLEM_FREE)
            fit = checked_add(sum, problem->size[b], &sum) && sum <= INT64_MAX;
    return fit;
}

static enum status refuse_buffer(const struct problem *problem, uint32_t b, struct error *error)
{
    const char *name = names_get(&problem->names, b), *what = "the sizes";
    if (!is_live(problem, b))
        return error_set(error, STATUS_BAD_INPUT, "buffer '%s' is never live", name);
    if (sizes_fit(problem, b + 1))
        what = problem_fixed_end(problem)
                   ? "the end of the fixed buffers, sizes and what alignments may cost"
                   : "the sizes and what alignments may cost";
    return error_set(error, STATUS_BAD_INPUT,
                     "%s add up to more than 2^63 - 1 bytes at buffer '%s'", what, name);
}

enum status problem_finish(struct problem *problem, struct error *error)
{
    assert(problem->names.count == problem->buffers);
    uint32_t fault = problem_find_fault(problem);
    if (fault < problem->buffers)
        return refuse_buffer(problem, fault, error);
    if (problem->buffers)
        return STATUS_OK;
    TRY(memory_reserve(&problem->first, &problem->buffer_capacity[4], 1, sizeof *problem->first,
                       error));
    problem->first[0] = 0;
    return STATUS_OK;
}

static uint32_t clip_to_line(const struct problem *problem, uint32_t upper)
{
    return upper < problem->line_end ? upper : problem->line_end;
}

enum status problem_set_alignment(struct problem *problem, uint32_t buffer, uint64_t alignment,
                                  struct error *error)
{
    assert(buffer < problem->buffers && alignment);
    return set_rare(get_alignments(problem), problem->buffers, buffer, alignment, error);
}

enum status problem_fix(struct problem *problem, uint32_t buffer, uint64_t offset,
                        struct error *error)
{
    assert(buffer < problem->buffers);
    return set_rare(get_fixed(problem), problem->buffers, buffer, offset, error);
}

void problem_resize(struct problem *problem, uint32_t buffer, uint64_t size)
{
    assert(buffer < problem->buffers && size);
    problem->size[buffer] = size;
    for (uint32_t s = problem->first[buffer];
         problem->any_window_upper && s < problem->first[buffer + 1]; s++)
        problem->any_window_upper[s] = size;
}

enum status problem_align(struct problem *problem, uint64_t alignment_bytes, struct error *error)
{
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t alignment = problem_alignment(problem, b), common,
                 fixed = problem_fixed_offset(problem, b);
        assert(alignment && alignment_bytes);
        uint64_t factor = alignment_bytes / greatest_common_divisor(alignment, alignment_bytes);
        if (!checked_multiply(alignment, factor, &common))
            return error_set(error, STATUS_BAD_INPUT,
                             "the alignment of buffer '%s' and %llu have no common multiple below "
                             "2^64",
                             names_get(&problem->names, b), (unsigned long long)alignment_bytes);
        TRY(problem_set_alignment(problem, b, common, error));
        if (fixed != PROBLEM_FREE && fixed % common)
            return error_set(error, STATUS_NO,
                             "buffer '%s' is fixed at %llu, which is no multiple of %llu",
                             names_get(&problem->names, b), (unsigned long long)fixed,
                             (unsigned long long)common);
    }
    return problem_finish(problem, error);
}

uint32_t problem_lower(const struct problem *problem, uint32_t buffer)
{
    assert(buffer < problem->buffers && problem->first[buffer] < problem->first[buffer + 1]);
    return problem->lower[problem->first[buffer]];
}

uint32_t problem_upper(const struct problem *problem, uint32_t buffer)
{
    assert(buffer < problem->buffers && problem->first[buffer] < problem->first[buffer + 1]);
    return problem->upper[problem->first[buffer + 1] - 1];
}

void problem_time_steps(const struct problem *problem, uint32_t buffer, uint32_t *lower,
                        uint32_t *upper)
{
    uint32_t first = problem->first[buffer], end = problem->first[buffer + 1];
    assert(first <= end && end <= problem->segments);
    while (end > first && problem->lower[end - 1] >= problem->line_end)
        end--;
    *lower = end > first ? problem->lower[first] : problem->line_end;
    *upper = end > first ? clip_to_line(problem, problem->upper[end - 1]) : problem->line_end;
    assert(*lower <= *upper);
}

uint64_t problem_duration(const struct problem *problem, uint32_t buffer)
{
    assert(buffer < problem->buffers);
    uint64_t steps = 0;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        if (problem->lower[s] < problem->line_end)
            steps += clip_to_line(problem, problem->upper[s]) - problem->lower[s];
    return steps;
}

uint32_t problem_steps(const struct problem *problem)
{
    uint32_t steps = 0;
    for (uint32_t s = 0; s < problem->segments; s++)
        if (problem->upper[s] > steps)
            steps = problem->upper[s];
    return steps;
}

uint32_t problem_line_steps(const struct problem *problem)
{
    return clip_to_line(problem, problem_steps(problem));
}

bool problem_has_windows(const struct problem *problem)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            if (problem_window_lower(problem, s) ||
                problem_window_upper(problem, s) != problem->size[b])
                return true;
    return false;
}

uint64_t problem_ample_bytes(const struct problem *problem)
{
    uint64_t bytes = problem_fixed_end(problem);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (!checked_align(bytes, problem_alignment(problem, b), &bytes) ||
            !checked_add(bytes, problem->size[b], &bytes))
            return INT64_MAX;
    return bytes;
}

uint64_t problem_naive_bytes(const struct problem *problem)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        sum += problem->size[b];
    return sum;
}
