#include "planning/arena/stream_lines.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "core/sort.h"

/* What is known while the lines are made. */
struct maker {
    const struct problem *problem;
    struct stream_lines *made;
    uint32_t *line_of; /* [buffers] */
    uint32_t *by_end;  /* [buffers] sorted: each behind those whose ends are below its own */
    uint32_t *last;    /* [lines] the member that ends last so far */
    uint32_t *chain;   /* [lines] the chain of precedence that its starts are in */
    size_t last_capacity, chain_capacity;
    struct scratch scratch; /* of line_of and by_end */
    struct error *error;
};

/* Room for numbers that live as long as the lines. */
static enum status take(const struct maker *maker, uint32_t **numbers, size_t count)
{
    return scratch_take(&maker->made->scratch, numbers, count, sizeof **numbers, maker->error);
}

/* Puts the buffer on the first line whose starts are in the same chain and whose ends are all below
   its own, or on a new one. */
static enum status choose_line(struct maker *maker, uint32_t buffer)
{
    const struct problem *problem = maker->problem;
    const uint32_t *end = problem_clock(problem, buffer).end;
    uint32_t chain = maker->made->precedence->chain[buffer], line = 0, lines = maker->made->lines;
    assert(chain < maker->made->precedence->chains && buffer < problem->buffers);
    while (line < lines && (maker->chain[line] != chain ||
                            !precedence_is_below(problem_clock(problem, maker->last[line]).end, end,
                                                 problem_streams(problem))))
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
    assert(line < maker->made->lines);
    return STATUS_OK;
}

/* Lists the members of each line, in the given order of all buffers. */
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
    assert(first[lines] == maker->problem->buffers);
}

/* Numbers the steps of a line: each start and each end takes two steps, and an end comes before the
   starts that are above it. */
static void number_events(const struct maker *maker, uint32_t line, uint32_t *lower,
                          uint32_t *upper)
{
    const struct stream_lines *made = maker->made;
    const struct problem *problem = maker->problem;
    uint32_t from = made->first[line], to = made->first[line + 1], step = 4 * from, end = from;
    assert(line < made->lines && from < to);
    for (uint32_t i = from; i < to; i++) {
        const uint32_t *start = problem_clock(problem, made->starts[i]).start;
        for (; precedence_is_below(problem_clock(problem, made->ends[end]).end, start,
                                   problem_streams(problem));
             end++, step += 2)
            upper[made->ends[end]] = step;
        lower[made->starts[i]] = step;
        step += 2;
    }
    for (; end < to; end++, step += 2)
        upper[made->ends[end]] = step;
    assert(step == 4 * to);
}

/* Makes a problem of the same buffers with other steps, which are all that it owns. Each buffer is
   live in one segment, as maker->made->identity says. */
static enum status make_steps(const struct maker *maker, struct problem *made)
{
    const struct problem *problem = maker->problem;
    *made = (struct problem){.buffers = problem->buffers,
                             .segments = problem->buffers,
                             .size = problem->size,
                             .any_alignment = problem->any_alignment,
                             .any_fixed = problem->any_fixed,
                             .first = maker->made->identity,
                             .line_end = PROBLEM_NO_LINE_END};
    TRY(take(maker, &made->lower, problem->buffers));
    return take(maker, &made->upper, problem->buffers);
}

/* The buffers begin one after another in the order of their starts; row i of `rows` says how far
   the streams have come when the i-th begins, so each row is at or above the one before it. On the
   serial line step i is where that buffer begins. It ends before the first row that is at or above
   its end in all components, but lives for one step at least. */
static enum status make_serial(const struct maker *maker)
{
    SCOPED(memory_release) uint32_t *rows = NULL;
    const struct problem *problem = maker->problem;
    const struct problem *serial = &maker->made->serial;
    const uint32_t *order = maker->made->precedence->order;
    uint32_t buffers = problem->buffers, streams = problem_streams(problem);
    TRY(make_steps(maker, &maker->made->serial));
    TRY(memory_create(&rows, (size_t)buffers * streams, sizeof *rows, maker->error));
    for (uint32_t i = 0; i < buffers; i++) {
        const uint32_t *start = problem_clock(problem, order[i]).start;
        uint32_t *row = rows + (size_t)i * streams;
        const uint32_t *last = i ? row - streams : start;
        for (uint32_t s = 0; s < streams; s++)
            row[s] = last[s] > start[s] ? last[s] : start[s];
    }
    for (uint32_t i = 0; i < buffers; i++) {
        const uint32_t *end = problem_clock(problem, order[i]).end;
        serial->lower[order[i]] = i;
        serial->upper[order[i]] = BINARY_SEARCH(
            at, i + 1, buffers, precedence_is_below(end, rows + (size_t)at * streams, streams));
        assert(serial->upper[order[i]] > i && serial->upper[order[i]] <= buffers);
    }
    return STATUS_OK;
}

/* For each buffer of a chain, finds the first of the ends of the line that is not over when the
   buffer begins. Along the chain that position only rises, so one pass over both lists is
   enough. */
static void count_over(struct stream_lines *made, uint32_t chain, uint32_t line)
{
    const struct precedence *precedence = made->precedence;
    const uint32_t *after = precedence->after + chain;
    assert(chain < precedence->chains && line < made->lines);
    uint32_t over = made->first[line], to = made->first[line + 1];
    for (uint32_t i = precedence->first[chain]; i < precedence->first[chain + 1]; i++) {
        uint32_t position = i - precedence->first[chain];
        while (over < to && after[(size_t)made->ends[over] * precedence->chains] <= position)
            over++;
        made->over[(size_t)precedence->member[i] * made->lines + line] = over;
    }
}

static enum status list_positions(const struct maker *maker)
{
    struct stream_lines *made = maker->made;
    const struct precedence *precedence = made->precedence;
    size_t buffers = precedence->buffers, lines = made->lines;
    TRY(take(maker, &made->position, buffers));
    TRY(take(maker, &made->last_serial, buffers));
    TRY(take(maker, &made->over, lines * buffers));
    TRY(take(maker, &made->chain, lines));
    TRY(scratch_take(&made->scratch, &made->range, 2 * lines, sizeof *made->range, maker->error));
    for (uint32_t i = 0; i < buffers; i++)
        made->position[i] = precedence->position[made->starts[i]];
    for (uint32_t line = 0; line < lines; line++) {
        made->chain[line] = maker->chain[line];
        assert(made->chain[line] < precedence->chains);
        /* For each position of ends: the least end on the serial line of the member there and of
           all members behind it. */
        uint32_t least = UINT32_MAX;
        for (uint32_t i = made->first[line + 1]; i > made->first[line]; i--) {
            uint32_t upper = made->serial.upper[made->ends[i - 1]];
            least = upper < least ? upper : least;
            made->last_serial[i - 1] = least;
        }
        for (uint32_t chain = 0; chain < precedence->chains; chain++)
            count_over(made, chain, line);
    }
    return STATUS_OK;
}

static enum status make_lines(struct maker *maker)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    const struct problem *problem = maker->problem;
    struct stream_lines *made = maker->made;
    uint32_t buffers = problem->buffers;
    uint64_t *key;
    TRY(precedence_create_by_streams(problem->clocks, &made->precedence, maker->error));
    TRY(take(maker, &made->identity, (size_t)buffers + 1));
    for (uint32_t b = 0; b <= buffers; b++)
        made->identity[b] = b;
    TRY(scratch_take_all(&maker->scratch, buffers, maker->error, &maker->line_of, &maker->by_end));
    TRY(scratch_take(&scratch, &key, buffers, sizeof *key, maker->error));
    for (uint32_t b = 0; b < buffers; b++) {
        struct clock clock = problem_clock(problem, b);
        maker->by_end[b] = b;
        for (uint32_t s = 0; s < clock.streams; s++)
            key[b] += clock.end[s];
    }
    TRY(sort_items(key, maker->by_end, buffers, maker->error));
    scratch_free(&scratch); /* before more is taken */
    for (uint32_t i = 0; i < buffers; i++)
        TRY(choose_line(maker, maker->by_end[i]));
    TRY(take(maker, &made->first, (size_t)made->lines + 2));
    TRY(take(maker, &made->starts, buffers));
    TRY(take(maker, &made->ends, buffers));
    list_members(maker, made->precedence->order, made->starts);
    list_members(maker, maker->by_end, made->ends);
    TRY(make_steps(maker, &made->line));
    for (uint32_t line = 0; line < made->lines; line++)
        number_events(maker, line, made->line.lower, made->line.upper);
    TRY(make_serial(maker));
    return list_positions(maker);
}

static void free_maker(struct maker *maker)
{
    scratch_free(&maker->scratch);
    memory_free_all(maker->last, maker->chain);
    stream_lines_free(maker->made);
}

enum status stream_lines_create(const struct problem *problem, struct stream_lines **created,
                                struct error *error)
{
    SCOPED(free_maker) struct maker maker = {.problem = problem, .error = error};
    TRY(memory_create(&maker.made, 1, sizeof *maker.made, error));
    maker.made->problem = problem;
    TRY(make_lines(&maker));
    HAND_OVER(maker.made, created);
}

void stream_lines_free(struct stream_lines *lines)
{
    if (!lines)
        return;
    scratch_free(&lines->scratch);
    precedence_free(lines->precedence);
    memory_free(lines);
}

/* The members of a line stand at positions from .. to - 1 of `ends`, and of `starts`. Those that
   conflict with the buffer are at position `over` or later in ends, and before position `after` in
   starts. */
struct neighbours {
    uint32_t from, to, over, after;
};

static struct neighbours find_neighbours(const struct stream_lines *lines, uint32_t buffer,
                                         uint32_t line)
{
    const struct precedence *precedence = lines->precedence;
    uint32_t chain = lines->chain[line], position = precedence_after(precedence, buffer, chain);
    uint32_t from = lines->first[line], to = lines->first[line + 1];
    struct neighbours found = {.from = from,
                               .to = to,
                               .over = lines->over[(size_t)buffer * lines->lines + line],
                               .after = from + position};
    /* Most lines have all members of their chain, so the position in the chain is the position on
       the line. */
    if (to - from != precedence_length(precedence, chain))
        found.after = BINARY_SEARCH(at, from, to, lines->position[at] >= position);
    assert(from <= found.over && found.over <= to && from <= found.after && found.after <= to);
    return found;
}

/* The position in ends behind the last conflicting member that is over at the step of the serial
   line. The search starts at the first conflicting member, near which it mostly is if the streams
   know much of each other. */
static uint32_t find_late(const struct stream_lines *lines, struct neighbours found, uint32_t step)
{
    uint32_t low = found.over, stride = 1;
    assert(found.over <= found.to);
    for (; stride <= found.to - low && lines->last_serial[low + stride - 1] <= step; stride *= 2)
        low += stride;
    uint32_t high = stride <= found.to - low ? low + stride - 1 : found.to;
    return BINARY_SEARCH(at, low, high, lines->last_serial[at] > step);
}

/* The position in starts of the first conflicting member that begins at the step of the serial line
   or later. The search starts at the last conflicting member. */
static uint32_t find_later(const struct stream_lines *lines, struct neighbours found, uint32_t step)
{
    const uint32_t *lower = lines->serial.lower, *starts = lines->starts;
    uint32_t high = found.after, stride = 1;
    assert(found.from <= found.after);
    for (; stride <= high - found.from && lower[starts[high - stride]] >= step; stride *= 2)
        high -= stride;
    uint32_t low = stride <= high - found.from ? high - stride + 1 : found.from;
    return BINARY_SEARCH(at, low, high, lower[starts[at]] >= step);
}

/* The conflicting members are those live between the end of the last member that is over before the
   buffer begins and the start of the first one that begins after it is over. Those that are live
   together with the buffer on the serial line are found there, so two parts of this range are left:
   where members end that are over when the buffer begins on the serial line, and where members
   begin that begin when it is over there. */
static void cut_range(const struct stream_lines *lines, uint32_t buffer, struct neighbours found,
                      struct live_range part[2])
{
    const uint32_t *lower = lines->line.lower, *upper = lines->line.upper;
    struct live_range range = {.lower = 4 * found.from, .upper = 4 * found.to};
    if (found.over > found.from)
        range.lower = upper[lines->ends[found.over - 1]] + 1;
    if (found.after < found.to)
        range.upper = lower[lines->starts[found.after]];
    assert(lines->serial.lower[buffer] < lines->serial.upper[buffer]);
    uint32_t late = find_late(lines, found, lines->serial.lower[buffer]);
    uint32_t later = find_later(lines, found, lines->serial.upper[buffer]);
    assert(found.over <= late && late <= found.to);
    assert(found.from <= later && later <= found.after);
    part[0] = part[1] = (struct live_range){0};
    if (late > found.over)
        part[0] = (struct live_range){.lower = range.lower, .upper = upper[lines->ends[late - 1]]};
    if (later < found.after)
        part[1] = (struct live_range){.lower = lower[lines->starts[later]], .upper = range.upper};
    bool lives_through =
        part[0].upper > range.upper || (part[1].upper && part[1].lower < range.lower);
    bool is_whole = part[0].upper && part[1].upper && range.lower == 4 * found.from &&
                    range.upper == 4 * found.to;
    if (lives_through || is_whole || (part[1].upper && part[0].upper >= part[1].lower)) {
        part[0] = range;
        part[0].is_complete = lives_through;
        part[1] = (struct live_range){0};
    }
}

const struct live_range *stream_lines_find_rest(const struct stream_lines *lines, uint32_t buffer,
                                                uint32_t *ranges)
{
    assert(buffer < lines->problem->buffers);
    *ranges = 0;
    for (uint32_t line = 0; line < lines->lines; line++) {
        struct live_range part[2];
        cut_range(lines, buffer, find_neighbours(lines, buffer, line), part);
        for (int i = 0; i < 2; i++)
            if (part[i].lower < part[i].upper)
                lines->range[(*ranges)++] = part[i];
    }
    assert(*ranges <= 2 * lines->lines);
    return lines->range;
}
