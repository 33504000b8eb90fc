#include "planning/problem/problem.h"

#include "core/checked.h"
#include "core/memory.h"

/* How much room the arrays of a problem have while buffers are added. */
struct problem_building {
    size_t size, alignment, fixed, hint, first;
    size_t lower, upper, window_lower, window_upper;
};

enum status problem_create(struct problem **created, const char *name, struct error *error)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    TRY(memory_create(&problem, 1, sizeof *problem, error));
    problem->line_end = PROBLEM_NO_LINE_END;
    TRY(names_add(&problem->name, name, error));
    HAND_OVER(problem, created);
}

void problem_free(struct problem *problem)
{
    if (!problem)
        return;
    names_free(&problem->name);
    names_free(&problem->names);
    memory_free_all(problem->note, problem->size, problem->any_alignment, problem->any_fixed,
                    problem->any_hint, problem->first, problem->lower, problem->upper,
                    problem->any_window_lower, problem->any_window_upper, problem->building);
    clocks_free(problem->clocks);
    sizes_free(problem->sizes);
    memory_free(problem);
}

/* Sets the value of one of `buffers` buffers, of which the last may be about to be added. Most
   problems have the usual value for all buffers: the array is only made when some buffer has
   another one. */
static enum status set_rare(uint64_t **items, size_t *capacity, uint64_t usual, uint32_t buffers,
                            uint32_t buffer, uint64_t value, struct error *error)
{
    bool is_first = !*items;
    if (is_first && value == usual)
        return STATUS_OK;
    TRY(memory_reserve(items, capacity, buffers, sizeof **items, error));
    for (uint32_t b = 0; is_first && b < buffers; b++)
        (*items)[b] = usual;
    assert(buffer < buffers);
    (*items)[buffer] = value;
    return STATUS_OK;
}

/* Begins to build, or goes on with what was finished. */
static enum status open_building(struct problem *problem, struct error *error)
{
    return problem->building
               ? STATUS_OK
               : memory_create(&problem->building, 1, sizeof *problem->building, error);
}

enum status problem_add_buffer(struct problem *problem, const struct problem_buffer *buffer,
                               struct error *error)
{
    uint32_t b = problem->buffers;
    uint64_t end, fixed = buffer->fixed_offset;
    assert(problem->names.count == b && (b == 0 || problem->first[b] == problem->segments));
    if (!buffer->size)
        return error_set(error, STATUS_BAD_INPUT, "buffer '%s' has size 0, expected at least 1",
                         buffer->name);
    if (!buffer->alignment)
        return error_set(error, STATUS_BAD_INPUT,
                         "buffer '%s' has alignment 0, expected at least 1", buffer->name);
    if (fixed != PROBLEM_FREE && fixed % buffer->alignment)
        return error_set(error, STATUS_BAD_INPUT,
                         "buffer '%s' has offset %llu, expected a multiple of its alignment %llu",
                         buffer->name, (unsigned long long)fixed,
                         (unsigned long long)buffer->alignment);
    if (fixed != PROBLEM_FREE && (!checked_add(fixed, buffer->size, &end) || end > INT64_MAX))
        return error_set(error, STATUS_BAD_INPUT, "buffer '%s' ends beyond 2^63 - 1 bytes",
                         buffer->name);
    TRY(open_building(problem, error));
    struct problem_building *room = problem->building;
    TRY(memory_reserve(&problem->size, &room->size, (size_t)b + 1, sizeof *problem->size, error));
    TRY(memory_reserve(&problem->first, &room->first, (size_t)b + 2, sizeof *problem->first,
                       error));
    TRY(set_rare(&problem->any_hint, &room->hint, UINT64_MAX, b + 1, b,
                 buffer->hint < 0 ? UINT64_MAX : (uint64_t)buffer->hint, error));
    TRY(set_rare(&problem->any_alignment, &room->alignment, 1, b + 1, b, buffer->alignment, error));
    TRY(set_rare(&problem->any_fixed, &room->fixed, PROBLEM_FREE, b + 1, b, fixed, error));
    TRY(names_add(&problem->names, buffer->name, error));
    problem->size[b] = buffer->size;
    problem->first[b] = problem->first[b + 1] = problem->segments;
    problem->buffers++;
    return STATUS_OK;
}

/* Adds the window of the segment that is being added. No windows are kept as long as each buffer
   has one segment that uses all of it; the first segment that is different makes the arrays. */
static enum status add_window(struct problem *problem, const struct problem_segment *segment,
                              struct error *error)
{
    uint32_t s = problem->segments;
    uint64_t **lower = &problem->any_window_lower, **upper = &problem->any_window_upper;
    struct problem_building *room = problem->building;
    bool is_first = !*upper;
    assert(problem->building && problem->buffers > 0);
    if (is_first && s == problem->buffers - 1 && !segment->window_lower &&
        segment->window_upper == problem->size[s])
        return STATUS_OK;
    TRY(memory_reserve(lower, &room->window_lower, (size_t)s + 1, sizeof **lower, error));
    TRY(memory_reserve(upper, &room->window_upper, (size_t)s + 1, sizeof **upper, error));
    for (uint32_t i = 0; is_first && i < s; i++) {
        (*lower)[i] = 0;
        (*upper)[i] = problem->size[i];
    }
    (*lower)[s] = segment->window_lower;
    (*upper)[s] = segment->window_upper;
    return STATUS_OK;
}

enum status problem_add_segment(struct problem *problem, struct problem_segment segment,
                                struct error *error)
{
    uint32_t s = problem->segments, b = problem->buffers - 1;
    assert(problem->buffers > 0);
    const char *name = names_get(&problem->names, b);
    if (segment.lower >= segment.upper)
        return error_set(error, STATUS_BAD_INPUT,
                         "buffer '%s' lives in [%u, %u), expected lower < upper", name,
                         segment.lower, segment.upper);
    if (s > problem->first[b] && problem->upper[s - 1] > segment.lower)
        return error_set(error, STATUS_BAD_INPUT,
                         "buffer '%s' lives from %u after it lived to %u, expected segments in "
                         "order that do not overlap",
                         name, segment.lower, problem->upper[s - 1]);
    if (segment.window_lower >= segment.window_upper || segment.window_upper > problem->size[b])
        return error_set(
            error, STATUS_BAD_INPUT,
            "buffer '%s' uses the window [%llu, %llu), expected one inside its %llu bytes", name,
            (unsigned long long)segment.window_lower, (unsigned long long)segment.window_upper,
            (unsigned long long)problem->size[b]);
    if (s >= UINT32_MAX / 2)
        return error_set(error, STATUS_BAD_INPUT, "more than %u segments", UINT32_MAX / 2);
    assert(problem->first[b + 1] == s);
    TRY(open_building(problem, error));
    struct problem_building *room = problem->building;
    TRY(memory_reserve(&problem->lower, &room->lower, (size_t)s + 1, sizeof(uint32_t), error));
    TRY(memory_reserve(&problem->upper, &room->upper, (size_t)s + 1, sizeof(uint32_t), error));
    TRY(add_window(problem, &segment, error));
    problem->lower[s] = segment.lower;
    problem->upper[s] = segment.upper;
    problem->first[b + 1] = ++problem->segments;
    return STATUS_OK;
}

enum status problem_add_clock(struct problem *problem, struct clock clock, struct error *error)
{
    uint32_t last = problem->buffers - 1;
    assert(problem->buffers > 0 && (problem->clocks ? problem->clocks->buffers : 0) == last);
    return clocks_add(&problem->clocks, clock, names_get(&problem->names, last), error);
}

uint64_t problem_fixed_end(const struct problem *problem)
{
    uint64_t end = 0;
    for (uint32_t b = 0; b < problem->buffers && problem->any_fixed; b++)
        if (problem->any_fixed[b] != PROBLEM_FREE && problem->any_fixed[b] + problem->size[b] > end)
            end = problem->any_fixed[b] + problem->size[b];
    return end;
}

/* Adds the sizes of the buffers that are not fixed and, if asked for, all that their alignments can
   cost. Returns the first buffer at which the sum is above 2^63 - 1, `buffers` for none. */
static uint32_t add_sizes(const struct problem *problem, uint32_t buffers, bool padded,
                          uint64_t sum)
{
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t bytes, padding = padded ? problem_alignment(problem, b) - 1 : 0;
        if (problem_fixed_offset(problem, b) == PROBLEM_FREE &&
            (!checked_add(problem->size[b], padding, &bytes) || !checked_add(sum, bytes, &sum) ||
             sum > INT64_MAX))
            return b;
    }
    return buffers;
}

uint32_t problem_find_fault(const struct problem *problem)
{
    uint32_t live = 0;
    while (live < problem->buffers && problem->first[live] < problem->first[live + 1])
        live++;
    assert(live <= problem->buffers);
    return add_sizes(problem, live, true, problem_fixed_end(problem));
}

enum status problem_finish(struct problem *problem, struct error *error)
{
    assert(problem->names.count == problem->buffers);
    assert(!problem->buffers || problem->first[problem->buffers] == problem->segments);
    uint32_t fault = problem_find_fault(problem);
    assert(fault <= problem->buffers);
    if (fault < problem->buffers) {
        const char *name = names_get(&problem->names, fault), *what = "the sizes";
        if (problem->first[fault] == problem->first[fault + 1])
            return error_set(error, STATUS_BAD_INPUT, "buffer '%s' is never live", name);
        if (add_sizes(problem, fault + 1, false, 0) > fault)
            what = problem_fixed_end(problem)
                       ? "the end of the fixed buffers, sizes and what alignments may cost"
                       : "the sizes and what alignments may cost";
        return error_set(error, STATUS_BAD_INPUT,
                         "%s add up to more than 2^63 - 1 bytes at buffer '%s'", what, name);
    }
    if (!problem->first)
        TRY(memory_create(&problem->first, 1, sizeof *problem->first, error));
    memory_free(problem->building);
    problem->building = NULL;
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
    TRY(open_building(problem, error));
    return set_rare(&problem->any_alignment, &problem->building->alignment, 1, problem->buffers,
                    buffer, alignment, error);
}

enum status problem_fix(struct problem *problem, uint32_t buffer, uint64_t offset,
                        struct error *error)
{
    assert(buffer < problem->buffers);
    TRY(open_building(problem, error));
    return set_rare(&problem->any_fixed, &problem->building->fixed, PROBLEM_FREE, problem->buffers,
                    buffer, offset, error);
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
    if (!alignment_bytes)
        return STATUS_OK;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t alignment = problem_alignment(problem, b), common,
                 fixed = problem_fixed_offset(problem, b);
        assert(alignment > 0);
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
