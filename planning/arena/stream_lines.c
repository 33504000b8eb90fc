#include "planning/arena/stream_lines.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "core/sort.h"
#include "planning/problem/clocks.h"

/* A line while it is made: the last end that came to it. */
struct maker {
    const struct problem *problem;
    struct stream_lines *made;
    uint32_t *line_of; /* [buffers] */
    uint32_t *by_end;  /* [buffers] in an order in which every end comes behind those below it */
    uint32_t *last;    /* [lines] the buffer that ends last */
    uint32_t *chain;   /* [lines] of precedence, in which its starts are */
    size_t last_capacity, chain_capacity;
    struct error *error;
};

static bool is_below(const uint32_t *a, const uint32_t *b, uint32_t streams)
{
    for (uint32_t s = 0; s < streams; s++)
        if (a[s] > b[s])
            return false;
    return true;
}

static enum status order_ends(struct maker *maker)
{
    const struct problem *problem = maker->problem;
    uint64_t *key;
    TRY(memory_create(&key, problem->buffers, sizeof *key, maker->error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        struct clock clock = problem_clock(problem, b);
        maker->by_end[b] = b;
        for (uint32_t s = 0; s < clock.streams; s++)
            key[b] += clock.end[s];
    }
    enum status status = sort_items(key, maker->by_end, problem->buffers, maker->error);
    memory_free(key);
    return status;
}

/* The first line of the buffer's chain of starts on which all ends are below its end. */
static enum status choose_line(struct maker *maker, uint32_t buffer)
{
    const struct problem *problem = maker->problem;
    const uint32_t *end = problem_clock(problem, buffer).end;
    uint32_t chain = maker->made->precedence->chain[buffer], line = 0, lines = maker->made->lines;
    while (line < lines &&
           (maker->chain[line] != chain ||
            !is_below(problem_clock(problem, maker->last[line]).end, end, problem->streams)))
        line++;
    if (line == lines) {
        TRY(memory_reserve(&maker->last, &maker->last_capacity, (size_t)line + 1, sizeof(uint32_t),
                           maker->error));
        TRY(memory_reserve(&maker->chain, &maker->chain_capacity, (size_t)line + 1,
                           sizeof(uint32_t), maker->error));
        maker->made->lines++;
    }
    maker->last[line] = buffer;
    maker->chain[line] = chain;
    maker->line_of[buffer] = line;
    return STATUS_OK;
}

/* The members of each line in the given order of all buffers. */
static void list_members(const struct maker *maker, const uint32_t *order, uint32_t *member)
{
    uint32_t *first = maker->made->first, lines = maker->made->lines;
    memset(first, 0, ((size_t)lines + 2) * sizeof *first);
    for (uint32_t b = 0; b < maker->problem->buffers; b++)
        first[maker->line_of[b] + 2]++;
    for (uint32_t line = 0; line < lines; line++)
        first[line + 2] += first[line + 1];
    for (uint32_t i = 0; i < maker->problem->buffers; i++)
        member[first[maker->line_of[order[i]] + 1]++] = order[i];
}

/* Steps: an end or a start takes two; an end stands before the starts that are above it. */
static void number_events(const struct maker *maker, uint32_t line, uint32_t *lower,
                          uint32_t *upper)
{
    const struct stream_lines *made = maker->made;
    const struct problem *problem = maker->problem;
    uint32_t from = made->first[line], to = made->first[line + 1], step = 4 * from, end = from;
    for (uint32_t i = from; i < to; i++) {
        const uint32_t *start = problem_clock(problem, made->starts[i]).start;
        for (; is_below(problem_clock(problem, made->ends[end]).end, start, problem->streams);
             end++, step += 2)
            upper[made->ends[end]] = step;
        lower[made->starts[i]] = step;
        step += 2;
    }
    for (; end < to; end++, step += 2)
        upper[made->ends[end]] = step;
    assert(step == 4 * to);
}

static enum status make_problem(const struct maker *maker, const uint32_t *lower,
                                const uint32_t *upper, struct problem **made)
{
    const struct problem *problem = maker->problem;
    TRY(problem_create(made, "", maker->error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct problem_buffer buffer = {"", problem->size[b], problem->alignment[b],
                                              problem->fixed_offset[b], -1};
        const struct problem_segment segment = {lower[b], upper[b], 0, problem->size[b]};
        TRY(problem_add_buffer(*made, &buffer, maker->error));
        TRY(problem_add_segment(*made, segment, maker->error));
    }
    return STATUS_OK;
}

/* How far the streams have come when each buffer begins, one after another in the order of their
   starts: rows that rise. */
static void add_up_starts(const struct maker *maker, uint32_t *row)
{
    const struct problem *problem = maker->problem;
    const uint32_t *order = maker->made->precedence->order;
    const uint32_t *last = NULL;
    for (uint32_t i = 0; i < problem->buffers; i++, last = row, row += problem->streams) {
        const uint32_t *start = problem_clock(problem, order[i]).start;
        for (uint32_t s = 0; s < problem->streams; s++)
            row[s] = last && last[s] > start[s] ? last[s] : start[s];
    }
}

/* Each is live from its own row to before the first that covers its end; its own in any case. */
static void number_rows(const struct maker *maker, const uint32_t *rows, uint32_t *lower,
                        uint32_t *upper)
{
    const struct problem *problem = maker->problem;
    const uint32_t *order = maker->made->precedence->order;
    for (uint32_t i = 0; i < problem->buffers; i++) {
        const uint32_t *end = problem_clock(problem, order[i]).end;
        lower[order[i]] = i;
        upper[order[i]] =
            BINARY_SEARCH(at, i + 1, problem->buffers,
                          is_below(end, rows + (size_t)at * problem->streams, problem->streams));
    }
}

static enum status make_serial_problem(const struct maker *maker)
{
    uint32_t *rows = NULL, *lower = NULL, *upper = NULL, buffers = maker->problem->buffers;
    enum status status;
    TRY_OR_DONE(status, memory_create(&rows, (size_t)buffers * maker->problem->streams,
                                      sizeof *rows, maker->error));
    TRY_OR_DONE(status, memory_create(&lower, buffers, sizeof *lower, maker->error));
    TRY_OR_DONE(status, memory_create(&upper, buffers, sizeof *upper, maker->error));
    add_up_starts(maker, rows);
    number_rows(maker, rows, lower, upper);
    status = make_problem(maker, lower, upper, &maker->made->serial);
done:
    memory_free(rows);
    memory_free(lower);
    memory_free(upper);
    return status;
}

static enum status make_line_problem(const struct maker *maker)
{
    uint32_t *lower = NULL, *upper = NULL;
    enum status status;
    TRY_OR_DONE(status,
                memory_create(&lower, maker->problem->buffers, sizeof *lower, maker->error));
    TRY_OR_DONE(status,
                memory_create(&upper, maker->problem->buffers, sizeof *upper, maker->error));
    for (uint32_t line = 0; line < maker->made->lines; line++)
        number_events(maker, line, lower, upper);
    status = make_problem(maker, lower, upper, &maker->made->line);
done:
    memory_free(lower);
    memory_free(upper);
    return status;
}

/* What the searches for ranges look at, one behind the other. */
static enum status list_positions(const struct maker *maker)
{
    struct stream_lines *made = maker->made;
    const struct precedence *precedence = made->precedence;
    uint32_t buffers = precedence->buffers, chains = precedence->chains;
    TRY(memory_create(&made->position, buffers, sizeof(uint32_t), maker->error));
    TRY(memory_create(&made->over, (size_t)chains * buffers, sizeof(uint32_t), maker->error));
    TRY(memory_create(&made->chain, made->lines, sizeof(uint32_t), maker->error));
    TRY(memory_create(&made->range, made->lines, sizeof *made->range, maker->error));
    for (uint32_t line = 0; line < made->lines; line++)
        made->chain[line] = maker->chain[line];
    for (uint32_t i = 0; i < buffers; i++) {
        const uint32_t *after = precedence->after + (size_t)made->ends[i] * chains;
        made->position[i] = precedence->position[made->starts[i]];
        for (uint32_t c = 0; c < chains; c++)
            made->over[(size_t)c * buffers + i] = after[c];
    }
    return STATUS_OK;
}

static enum status make_lines(struct maker *maker)
{
    struct stream_lines *made = maker->made;
    uint32_t buffers = maker->problem->buffers;
    TRY(memory_create(&maker->line_of, buffers, sizeof(uint32_t), maker->error));
    TRY(memory_create(&maker->by_end, buffers, sizeof(uint32_t), maker->error));
    TRY(order_ends(maker));
    for (uint32_t i = 0; i < buffers; i++)
        TRY(choose_line(maker, maker->by_end[i]));
    TRY(memory_create(&made->first, (size_t)made->lines + 2, sizeof(uint32_t), maker->error));
    TRY(memory_create(&made->starts, buffers, sizeof(uint32_t), maker->error));
    TRY(memory_create(&made->ends, buffers, sizeof(uint32_t), maker->error));
    list_members(maker, maker->made->precedence->order, made->starts);
    list_members(maker, maker->by_end, made->ends);
    TRY(make_line_problem(maker));
    TRY(make_serial_problem(maker));
    return list_positions(maker);
}

enum status stream_lines_create(const struct problem *problem, struct stream_lines **created,
                                struct error *error)
{
    struct maker maker = {.problem = problem, .error = error};
    enum status status;
    TRY(memory_create(&maker.made, 1, sizeof *maker.made, error));
    maker.made->problem = problem;
    TRY_OR_DONE(status, precedence_create(problem, &maker.made->precedence, error));
    TRY_OR_DONE(status, make_lines(&maker));
    *created = maker.made;
done:
    memory_free(maker.line_of);
    memory_free(maker.by_end);
    memory_free(maker.last);
    memory_free(maker.chain);
    if (status)
        stream_lines_free(maker.made);
    return status;
}

void stream_lines_free(struct stream_lines *lines)
{
    if (!lines)
        return;
    problem_free(lines->line);
    problem_free(lines->serial);
    memory_free(lines->first);
    memory_free(lines->starts);
    memory_free(lines->ends);
    memory_free(lines->chain);
    memory_free(lines->position);
    memory_free(lines->over);
    memory_free(lines->range);
    precedence_free(lines->precedence);
    memory_free(lines);
}

/* From behind the last member that is over before the buffer begins, to the first that begins when
   the buffer is over. */
static struct live_range find_range(const struct stream_lines *lines, uint32_t buffer,
                                    uint32_t line)
{
    const struct precedence *precedence = lines->precedence;
    uint32_t from = lines->first[line], to = lines->first[line + 1];
    const uint32_t *over = lines->over + (size_t)precedence->chain[buffer] * precedence->buffers;
    uint32_t begin = precedence->position[buffer];
    uint32_t after = precedence->after[(size_t)buffer * precedence->chains + lines->chain[line]];
    uint32_t end = BINARY_SEARCH(at, from, to, over[at] > begin);
    uint32_t start = BINARY_SEARCH(at, from, to, lines->position[at] >= after);
    return (struct live_range){
        .lower = end > from ? lines->line->upper[lines->ends[end - 1]] + 1 : 4 * from,
        .upper = start < to ? lines->line->lower[lines->starts[start]] : 4 * to};
}

const struct live_range *stream_lines_find(const struct stream_lines *lines, uint32_t buffer)
{
    assert(buffer < lines->problem->buffers);
    for (uint32_t line = 0; line < lines->lines; line++)
        lines->range[line] = find_range(lines, buffer, line);
    return lines->range;
}

/* Buffers are placed one after another. What is taken is known on the lines, and of what is live
   at the same step of the serial line once more there, where neighbours make long runs that are
   passed over at once. */
struct placing {
    const struct stream_lines *lines;
    const struct occupancy_rule *rule;
    struct occupancy *on_lines, *serially;
    uint64_t *offset; /* [buffers] */
    struct error *error;
};

static enum status begin(struct placing *placing)
{
    const struct stream_lines *lines = placing->lines;
    TRY(occupancy_create(lines->line, &placing->on_lines, placing->error));
    TRY(occupancy_create(lines->serial, &placing->serially, placing->error));
    TRY(occupancy_reserve_ranges(placing->on_lines, lines->lines, placing->error));
    TRY(occupancy_begin(placing->on_lines, placing->offset, placing->error));
    return occupancy_begin(placing->serially, placing->offset, placing->error);
}

static enum status place_buffer(struct placing *placing, uint32_t b)
{
    const struct stream_lines *lines = placing->lines;
    const struct problem *problem = lines->problem;
    uint64_t *offset = &placing->offset[b];
    struct gap_walk walk;
    occupancy_walk(placing->serially, b, &walk);
    occupancy_walk_ranges(placing->on_lines, b, stream_lines_find(lines, b), lines->lines, &walk);
    if (!fit_choose(placing->rule->fit, &walk, offset))
        return error_set(placing->error, STATUS_BAD_INPUT,
                         "no place below 2^64 bytes for buffer '%s'",
                         names_get(&problem->names, b));
    uint64_t end = *offset + problem->size[b];
    TRY(occupancy_take(placing->serially, b, *offset, end, placing->error));
    return occupancy_take(placing->on_lines, b, *offset, end, placing->error);
}

static enum status place_all(struct placing *placing, uint64_t *peak_bytes)
{
    const struct problem *problem = placing->lines->problem;
    const struct occupancy_rule *rule = placing->rule;
    const uint64_t *offset = placing->offset;
    uint64_t peak = problem_fixed_end(problem);
    *peak_bytes = UINT64_MAX;
    for (uint32_t i = 0; i < problem->buffers && peak <= rule->most_bytes; i++) {
        uint32_t b = rule->sorted[i];
        if (occupancy_time_is_up(rule, i))
            return STATUS_OK;
        if (offset[b] != PROBLEM_FREE)
            continue;
        TRY(place_buffer(placing, b));
        peak = offset[b] + problem->size[b] > peak ? offset[b] + problem->size[b] : peak;
    }
    if (peak <= rule->most_bytes)
        *peak_bytes = peak;
    return STATUS_OK;
}

enum status stream_lines_place_all(const struct problem *problem, const struct occupancy_rule *rule,
                                   uint64_t *offset, uint64_t *peak_bytes, struct error *error)
{
    struct placing placing = {.rule = rule, .offset = offset, .error = error};
    struct stream_lines *lines = NULL;
    enum status status;
    TRY_OR_DONE(status, stream_lines_create(problem, &lines, error));
    placing.lines = lines;
    TRY_OR_DONE(status, begin(&placing));
    status = place_all(&placing, peak_bytes);
done:
    occupancy_free(placing.on_lines);
    occupancy_free(placing.serially);
    stream_lines_free(lines);
    return status;
}
