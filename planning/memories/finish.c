#include "planning/memories/finish.h"

#include <assert.h>
#include <inttypes.h>

#include "core/checked.h"
#include "planning/memories/classes.h"

/* What every check is given. It names the item that it looks at in *fault, so that a failure says
   where it is. */
struct check {
    const struct memory_problem *problem;
    const struct memory_classes *classes;
    struct memory_fault *fault;
    struct error *error;
};

static void look_at(const struct check *check, enum memory_list list, uint32_t index)
{
    *check->fault = (struct memory_fault){list, index};
}

static const char *name_buffer(const struct check *check, uint32_t buffer)
{
    return names_get(&check->problem->problem->names, buffer);
}

static enum status check_memories(const struct check *check)
{
    const struct memory_problem *problem = check->problem;
    for (uint32_t m = 0; m < problem->memories; m++) {
        const struct memory *memory = &problem->memory[m];
        assert(memory->alignment > 0);
        look_at(check, MEMORY_LIST_MEMORIES, m);
        if (memory->chunk_bytes % memory->alignment)
            return error_set(check->error, STATUS_BAD_INPUT,
                             "found a chunk of %" PRIu64 " bytes in memory '%s', expected a "
                             "multiple of its alignment, %" PRIu64,
                             memory->chunk_bytes, names_get(&problem->names, m), memory->alignment);
    }
    for (uint32_t r = 0; r < problem->reserved_ranges; r++) {
        const struct memory_range *range = &problem->reserved[r];
        assert(range->memory < problem->memories);
        look_at(check, MEMORY_LIST_RESERVED, r);
        if (range->lower >= range->upper || range->upper > INT64_MAX)
            return error_set(check->error, STATUS_BAD_INPUT,
                             "found a reserved range [%" PRIu64 ", %" PRIu64 "), expected one that "
                             "is not empty and ends by 2^63 - 1",
                             range->lower, range->upper);
    }
    return STATUS_OK;
}

/* Whether the memory has room for the bytes when nothing else lies there. */
static bool is_large_enough(const struct memory *memory, uint64_t bytes)
{
    return bytes <= memory->capacity_bytes &&
           (!memory->chunk_bytes || bytes <= memory->chunk_bytes);
}

static enum status check_buffer(const struct check *check, uint32_t b, uint64_t *worst_cost)
{
    const struct memory_problem *problem = check->problem;
    uint64_t bytes = check->classes->size[check->classes->of[b]], dearest = 0;
    uint32_t place = MEMORY_NONE;
    look_at(check, MEMORY_LIST_BUFFERS, b);
    assert(bytes >= problem->problem->size[b]);
    for (uint32_t m = 0; m < problem->memories; m++) {
        const struct memory *memory = &problem->memory[m];
        uint64_t cost;
        if (!memory_problem_allows(problem, b, m))
            continue;
        if (memory->chunk_bytes % problem_alignment(problem->problem, b))
            return error_set(check->error, STATUS_BAD_INPUT,
                             "found an alignment of %" PRIu64 " of buffer '%s', expected one that "
                             "divides the chunks of memory '%s', %" PRIu64 " bytes",
                             problem_alignment(problem->problem, b), name_buffer(check, b),
                             names_get(&problem->names, m), memory->chunk_bytes);
        if (!memory_problem_find_traffic(problem, b, m, &cost))
            return error_set(check->error, STATUS_BAD_INPUT,
                             "found traffic of buffer '%s' that costs 2^64 thousandths or more in "
                             "memory '%s', expected less",
                             name_buffer(check, b), names_get(&problem->names, m));
        dearest = cost > dearest ? cost : dearest;
        if (is_large_enough(memory, bytes))
            place = m;
    }
    if (place == MEMORY_NONE)
        return error_set(check->error, STATUS_BAD_INPUT,
                         "found buffer '%s', whose place has %" PRIu64 " bytes, expected an "
                         "allowed memory that is large enough",
                         name_buffer(check, b), bytes);
    if (!checked_add(*worst_cost, dearest, worst_cost) || *worst_cost > INT64_MAX)
        return error_set(check->error, STATUS_BAD_INPUT,
                         "found costs that sum up to 2^63 thousandths or more, expected less");
    return STATUS_OK;
}

static enum status check_penalties(const struct check *check, uint64_t worst_cost)
{
    const struct memory_problem *problem = check->problem;
    for (uint32_t p = 0; p < problem->penalties; p++) {
        const struct memory_penalty *penalty = &problem->penalty[p];
        assert(penalty->second < problem->problem->buffers);
        assert(penalty->first < problem->problem->buffers);
        look_at(check, MEMORY_LIST_PENALTIES, p);
        if (penalty->first == penalty->second)
            return error_set(check->error, STATUS_BAD_INPUT,
                             "found a penalty of buffer '%s' with itself, expected another buffer",
                             name_buffer(check, penalty->first));
        if (!checked_add(worst_cost, penalty->cost, &worst_cost) || worst_cost > INT64_MAX)
            return error_set(check->error, STATUS_BAD_INPUT,
                             "found costs that sum up to 2^63 thousandths or more, expected less");
    }
    return STATUS_OK;
}

static enum status check_pairs(const struct check *check)
{
    const struct memory_problem *problem = check->problem;
    const struct {
        enum memory_list list;
        const char *what;
        uint32_t count;
        const struct problem_pair *pair;
    } lists[] = {
        {MEMORY_LIST_COLOCATIONS, "colocation", problem->colocations, problem->colocation},
        {MEMORY_LIST_SEPARATIONS, "separation", problem->separations, problem->separation},
        {MEMORY_LIST_EXCLUSIONS, "exclusion", problem->exclusions, problem->exclusion},
    };
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (uint32_t i = 0; i < lists[l].count; i++) {
            struct problem_pair pair = lists[l].pair[i];
            assert(pair.second < problem->problem->buffers);
            assert(pair.first < problem->problem->buffers);
            look_at(check, lists[l].list, i);
            if (pair.first == pair.second)
                return error_set(check->error, STATUS_BAD_INPUT,
                                 "found a %s of buffer '%s' with itself, expected another buffer",
                                 lists[l].what, name_buffer(check, pair.first));
            if (lists[l].list == MEMORY_LIST_SEPARATIONS &&
                check->classes->of[pair.first] == check->classes->of[pair.second])
                return error_set(check->error, STATUS_BAD_INPUT,
                                 "found a separation of buffers '%s' and '%s', which colocations "
                                 "put into the same place, expected only one of the two",
                                 name_buffer(check, pair.first), name_buffer(check, pair.second));
        }
    return STATUS_OK;
}

static bool ranges_meet(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    assert(a <= UINT64_MAX - a_bytes && b <= UINT64_MAX - b_bytes);
    return a < b + b_bytes && b < a + a_bytes;
}

static bool is_between(const struct memory_classes *classes, struct problem_pair pair, uint32_t a,
                       uint32_t b)
{
    uint32_t first = classes->of[pair.first], second = classes->of[pair.second];
    return (first == a && second == b) || (first == b && second == a);
}

static bool are_excluded(const struct memory_problem *problem, uint32_t i, uint32_t j)
{
    for (uint32_t e = 0; e < problem->exclusions; e++) {
        struct problem_pair pair = problem->exclusion[e];
        if ((pair.first == i && pair.second == j) || (pair.first == j && pair.second == i))
            return true;
    }
    return false;
}

/* Whether two classes must not share bytes, for which one member of each is enough. */
static bool are_kept_apart(const struct check *check, uint32_t a, uint32_t b)
{
    const struct memory_problem *problem = check->problem;
    const struct memory_classes *classes = check->classes;
    assert(a != b && a < classes->count && b < classes->count);
    for (uint32_t p = 0; p < problem->pins; p++) {
        uint32_t pinned = classes->of[problem->pin[p].buffer];
        if (problem->pin[p].exclusive && (pinned == a || pinned == b))
            return true;
    }
    for (uint32_t s = 0; s < problem->separations; s++)
        if (is_between(classes, problem->separation[s], a, b))
            return true;
    for (uint32_t i = classes->first[a]; i < classes->first[a + 1]; i++)
        for (uint32_t j = classes->first[b]; j < classes->first[b + 1]; j++) {
            uint32_t first = classes->member[i], second = classes->member[j];
            if (problem_conflicts_in_time(problem->problem, first, second, UINT32_MAX) &&
                !are_excluded(problem, first, second))
                return true;
        }
    return false;
}

/* Says what was expected where a pinned place of some bytes breaks a rule: of the capacity, of
   alignments, of chunks, of reserved ranges or of the memories allowed.
   NULL where it breaks none. */
static const char *refuse_pin(const struct check *check, const struct memory_pin *pin,
                              uint64_t bytes)
{
    const struct memory_problem *problem = check->problem;
    const struct memory *memory = &problem->memory[pin->memory];
    uint32_t class = check->classes->of[pin->buffer];
    uint64_t end;
    assert(bytes > 0 && pin->memory < problem->memories);
    if (!checked_add(pin->offset, bytes, &end) || end > INT64_MAX || end > memory->capacity_bytes)
        return "an end within its capacity";
    if (pin->offset % memory->alignment)
        return "an aligned offset";
    assert(end > pin->offset);
    for (uint32_t i = check->classes->first[class]; i < check->classes->first[class + 1]; i++)
        if (pin->offset % problem_alignment(problem->problem, check->classes->member[i]))
            return "an aligned offset";
    if (memory->chunk_bytes && pin->offset / memory->chunk_bytes != (end - 1) / memory->chunk_bytes)
        return "a place in one chunk";
    for (uint32_t r = 0; r < problem->reserved_ranges; r++)
        if (problem->reserved[r].memory == pin->memory && problem->reserved[r].lower < end &&
            pin->offset < problem->reserved[r].upper)
            return "a place outside of the reserved ranges";
    return memory_classes_allow(check->classes, class, pin->memory) ? NULL : "an allowed memory";
}

static enum status check_pins(const struct check *check)
{
    const struct memory_problem *problem = check->problem;
    for (uint32_t p = 0; p < problem->pins; p++) {
        const struct memory_pin *pin = &problem->pin[p];
        assert(pin->buffer < problem->problem->buffers && pin->memory < problem->memories);
        uint32_t class = check->classes->of[pin->buffer];
        uint64_t bytes = check->classes->size[class];
        const char *expected = refuse_pin(check, pin, bytes);
        look_at(check, MEMORY_LIST_PINS, p);
        if (expected)
            return error_set(check->error, STATUS_BAD_INPUT,
                             "found buffer '%s', whose place has %" PRIu64 " bytes, pinned at "
                             "%" PRIu64 " of memory '%s', expected %s",
                             name_buffer(check, pin->buffer), bytes, pin->offset,
                             names_get(&problem->names, pin->memory), expected);
        for (uint32_t q = 0; q < p; q++) {
            const struct memory_pin *other = &problem->pin[q];
            uint32_t other_class = check->classes->of[other->buffer];
            bool same_place = pin->memory == other->memory && pin->offset == other->offset;
            bool collide =
                pin->memory == other->memory &&
                ranges_meet(pin->offset, bytes, other->offset, check->classes->size[other_class]) &&
                are_kept_apart(check, class, other_class);
            if (class == other_class ? !same_place : collide)
                return error_set(check->error, STATUS_BAD_INPUT,
                                 "found buffers '%s' and '%s' pinned at %" PRIu64 " and %" PRIu64
                                 ", expected %s",
                                 name_buffer(check, other->buffer), name_buffer(check, pin->buffer),
                                 other->offset, pin->offset,
                                 class == other_class ? "one place for both"
                                                      : "places that do not overlap");
        }
    }
    return STATUS_OK;
}

enum status memory_problem_finish(struct memory_problem *problem, struct memory_fault *fault,
                                  struct error *error)
{
    SCOPED(memory_classes_free) struct memory_classes classes = {0};
    const struct check check = {problem, &classes, fault, error};
    uint64_t worst_cost = 0;
    look_at(&check, MEMORY_LIST_WHOLE, 0);
    TRY(check_memories(&check));
    TRY(memory_classes_create(problem, &classes, error));
    for (uint32_t b = 0; b < problem->problem->buffers; b++)
        TRY(check_buffer(&check, b, &worst_cost));
    TRY(check_penalties(&check, worst_cost));
    TRY(check_pairs(&check));
    TRY(check_pins(&check));
    for (uint32_t c = 0; c < classes.count; c++) {
        bool allowed = false;
        for (uint32_t m = 0; m < problem->memories; m++)
            allowed |= memory_classes_allow(&classes, c, m) &&
                       is_large_enough(&problem->memory[m], classes.size[c]);
        if (!allowed) {
            look_at(&check, MEMORY_LIST_BUFFERS, classes.member[classes.first[c]]);
            return error_set(error, STATUS_BAD_INPUT,
                             "found buffer '%s' in one place with others, expected a memory that "
                             "all of them allow and that is large enough",
                             name_buffer(&check, classes.member[classes.first[c]]));
        }
    }
    return STATUS_OK;
}
