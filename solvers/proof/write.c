#include "solvers/proof/write.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "planning/problem/explicit_conflicts.h"
#include "solvers/proof/trim.h"

/* The rules whose lines have any number of numbers. */
static const char COUNTED[] = "qcdHG";

/* Seven bits to a byte, the lowest first, each but the last with its highest bit set; numbers below
   0 are odd. */
static void append_packed(struct text *text, int64_t number)
{
    char byte[10];
    size_t bytes = 0;
    uint64_t left = number < 0 ? 2 * (uint64_t)(-(number + 1)) + 1 : 2 * (uint64_t)number;
    for (; left > 127; left >>= 7)
        byte[bytes++] = (char)((left & 127) | 128);
    byte[bytes++] = (char)left;
    assert(bytes <= sizeof byte);
    text_append_bytes(text, byte, bytes);
}

/* Begins a line: the letter of its rule, and how many numbers (of a clique, members) follow. */
static void begin_line(const struct proof_lines *lines, char letter, size_t count)
{
    assert(letter && !memchr("\n :", letter, 3));
    text_append_bytes(lines->text, &letter, 1);
    if (lines->is_binary && strchr(COUNTED, letter))
        append_packed(lines->text, (int64_t)count);
}

static void write_number(const struct proof_lines *lines, int64_t number)
{
    char digits[24];
    if (lines->is_binary) {
        append_packed(lines->text, number);
        return;
    }
    int length = snprintf(digits, sizeof digits, " %" PRId64, number);
    assert(length > 1 && length < (int)sizeof digits);
    text_append_bytes(lines->text, digits, (size_t)length);
}

/* A member of a clique: a buffer of this size, of whose bytes those from lower to before upper
   count. */
static void write_member(const struct proof_lines *lines, uint32_t buffer, uint64_t lower,
                         uint64_t upper, uint64_t size)
{
    assert(lower < upper && upper <= size);
    write_number(lines, buffer);
    if (lines->is_binary) {
        append_packed(lines->text, (int64_t)lower);
        append_packed(lines->text, (int64_t)upper);
    } else if (lower || upper != size) {
        text_append(lines->text, ":%" PRIu64 ":%" PRIu64, lower, upper);
    }
}

static void end_line(const struct proof_lines *lines)
{
    if (!lines->is_binary)
        text_append_bytes(lines->text, "\n", 1);
}

static void end_log(const struct proof_lines *lines)
{
    text_append_bytes(lines->text, lines->is_binary ? "e" : "end\n", lines->is_binary ? 1 : 4);
}

static uint64_t add_number(uint64_t hash, int64_t number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64 " ", number);
    for (const char *at = digits; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
    return hash;
}

/* The fingerprint is made of each buffer's size, alignment, fixed offset or -1, and segments before
   the conflict steps; adjoining segments that use the same bytes count as one. */
static uint64_t find_fingerprint(const struct problem *problem)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    uint32_t end = problem_conflicts_are_pairs(problem) ? problem->line_end : PROBLEM_NO_LINE_END;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        hash = add_number(hash, (int64_t)problem->size[b]);
        hash = add_number(hash, (int64_t)problem_alignment(problem, b));
        hash = add_number(hash, (int64_t)problem_fixed_offset(problem, b));
        uint32_t last = problem->first[b + 1];
        for (uint32_t s = problem->first[b]; s < last && problem->lower[s] < end; s++) {
            uint64_t low = problem_window_lower(problem, s),
                     high = problem_window_upper(problem, s);
            hash = add_number(hash, problem->lower[s]);
            while (s + 1 < last && problem->lower[s + 1] == problem->upper[s] &&
                   problem->lower[s + 1] < end && problem_window_lower(problem, s + 1) == low &&
                   problem_window_upper(problem, s + 1) == high)
                s++;
            hash = add_number(hash, problem->upper[s] < end ? problem->upper[s] : end);
            hash = add_number(hash, (int64_t)low);
            hash = add_number(hash, (int64_t)high);
        }
        hash = (hash ^ '\n') * UINT64_C(1099511628211);
    }
    return hash;
}

void proof_write_head(const struct problem *problem, const struct proof_head *head,
                      const struct proof_lines *lines)
{
    struct text *text = lines->text;
    text_append(text,
                "memplan-proof %s\nproblem %016" PRIx64 "\ncapacity %" PRIu64 "\nunit %" PRIu64
                "\nuse",
                lines->is_binary ? "1b" : "1", find_fingerprint(problem), head->capacity_bytes,
                head->unit_bytes);
    for (uint32_t i = 0; head->buffer && i < head->buffers; i++)
        text_append(text, " %" PRIu32, head->buffer[i]);
    text_append(text, head->buffer ? "\n" : " all\n");
}

/* The members of the clique that is live at the step, written where there are lines to write to. */
static size_t list_live(const struct problem *problem, uint32_t step,
                        const struct proof_lines *lines)
{
    size_t count = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            if (problem->lower[s] > step || step >= problem->upper[s])
                continue;
            count++;
            if (lines)
                write_member(lines, b, problem_window_lower(problem, s),
                             problem_window_upper(problem, s), problem->size[b]);
        }
    return count;
}

void proof_write_load(const struct problem *problem, uint64_t rounding, uint32_t step,
                      uint64_t capacity_bytes, const struct proof_lines *lines)
{
    begin_line(lines, 'q', list_live(problem, step, NULL));
    list_live(problem, step, lines);
    end_line(lines);
    begin_line(lines, 'c', 0);
    end_line(lines);
    begin_line(lines, rounding > 1 ? 'R' : 'K', 0);
    write_number(lines, 1);
    write_number(lines, 0);
    write_number(lines, (int64_t)capacity_bytes);
    if (rounding > 1)
        write_number(lines, (int64_t)rounding);
    end_line(lines);
    end_log(lines);
}

void proof_write_absurd(const struct proof_lines *lines)
{
    begin_line(lines, 'c', 0);
    end_line(lines);
    end_log(lines);
}

/* How the numbers of the log become those of the lines. */
struct writer {
    const struct exact_learn *learn;
    const struct exact_log *log;
    const uint32_t *buffer; /* [buffers of the part] in the whole problem */
    int64_t unit;
    struct proof_trim trim;
    uint32_t *forgotten; /* [clauses] scratch */
    const struct proof_lines *lines;
    struct scratch scratch;
};

static void write_choices(struct writer *writer)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < writer->learn->variables; v++) {
        const struct exact_literal *literal = &writer->learn->literal[2 * (size_t)v];
        assert(literal->from != literal->to && literal[0].distance + literal[1].distance >= 1);
        if (!writer->trim.choice[v])
            continue;
        writer->trim.choice[v] = ++count;
        begin_line(writer->lines, 'v', 4);
        write_number(writer->lines, writer->buffer[literal->from]);
        write_number(writer->lines, writer->buffer[literal->to]);
        write_number(writer->lines, literal[0].distance * writer->unit);
        write_number(writer->lines, literal[1].distance * writer->unit);
        end_line(writer->lines);
    }
}

struct item {
    uint32_t buffer;
    uint64_t at; /* of a member; of a literal what it is */
};

COMPARE_MEMBERS(compare_items, struct item, buffer)

/* Members rise by buffer, so that chains can name them in this order. */
static void write_cliques(struct writer *writer, struct item *item)
{
    const struct exact_model *model = writer->learn->model;
    uint64_t unit = (uint64_t)writer->unit;
    uint32_t count = 0;
    for (uint32_t s = 0; s < model->sections; s++) {
        if (!writer->trim.clique[s])
            continue;
        writer->trim.clique[s] = ++count;
        size_t members = 0;
        for (uint64_t m = model->first[s]; m < model->first[s + 1]; m++)
            item[members++] = (struct item){model->member[m], m};
        assert(members >= 1 && members <= model->buffers);
        qsort(item, members, sizeof *item, compare_items);
        begin_line(writer->lines, 'q', members);
        for (size_t i = 0; i < members; i++) {
            assert(!i || item[i - 1].buffer < item[i].buffer);
            uint64_t lower = exact_member_lower(model, item[i].at);
            uint64_t upper = lower + exact_member_width(model, item[i].at);
            write_member(writer->lines, writer->buffer[item[i].buffer], lower * unit, upper * unit,
                         model->size[item[i].buffer] * unit);
        }
        end_line(writer->lines);
    }
}

static void write_literal(const struct writer *writer, int64_t literal)
{
    int64_t choice = writer->trim.choice[literal / 2];
    assert(choice);
    write_number(writer->lines, literal & 1 ? -choice : choice);
}

static void write_chain(const struct writer *writer, const struct proof_step *step,
                        struct item *item)
{
    for (size_t i = 0; i < step->literals; i++) {
        int64_t literal = step->number[step->literal_at + i];
        const struct exact_literal *edge = &writer->learn->literal[literal];
        item[i] =
            (struct item){step->rule == EXACT_STEP_HANG ? edge->to : edge->from, (uint64_t)literal};
    }
    qsort(item, step->literals, sizeof *item, compare_items);
    for (size_t i = 0; i < step->literals; i++) {
        assert(!i || item[i - 1].buffer < item[i].buffer);
        write_literal(writer, (int64_t)item[i].at);
    }
}

static void write_step(const struct writer *writer, const struct proof_step *step,
                       struct item *item)
{
    bool is_chain = step->rule == EXACT_STEP_CHAIN || step->rule == EXACT_STEP_HANG;
    bool hands_over = proof_step_hands_over(step);
    bool has_end = step->rule == EXACT_STEP_OVERLOAD || step->rule == EXACT_STEP_EDGE || hands_over;
    /* What is used is kept. */
    assert(step->rule != EXACT_STEP_CLAUSE || writer->trim.clause[step->number[0]]);
    assert(!step->has_section || writer->trim.clique[step->number[0]]);
    begin_line(writer->lines, (char)step->rule, 2 + step->literals);
    if (step->rule == EXACT_STEP_CLAUSE)
        write_number(writer->lines, writer->trim.clause[step->number[0]]);
    if (step->has_section) {
        write_number(writer->lines, writer->trim.clique[step->number[0]]);
        write_number(writer->lines, step->number[1] * writer->unit);
    }
    if (has_end)
        write_number(writer->lines, step->number[2] * writer->unit);
    if (hands_over) {
        write_number(writer->lines, writer->trim.clique[step->number[3]]);
        write_number(writer->lines, writer->buffer[step->number[4]]);
        write_number(writer->lines, step->number[5] * writer->unit);
    }
    if (is_chain)
        write_chain(writer, step, item);
    for (size_t i = 0; !is_chain && i < step->literals; i++)
        write_literal(writer, step->number[step->literal_at + i]);
    end_line(writer->lines);
}

/* Forgets the clauses that were used for the last time by this one. */
static void write_forgotten(struct writer *writer, size_t clause)
{
    size_t end, count = 0, at = proof_step_first(writer->log, clause, &end);
    while (at < end) {
        struct proof_step step = proof_step_read(writer->log, &at);
        if (step.rule != EXACT_STEP_CLAUSE || writer->trim.last_use[step.number[0]] != clause)
            continue;
        writer->trim.last_use[step.number[0]] = UINT32_MAX;
        writer->forgotten[count++] = writer->trim.clause[step.number[0]];
    }
    if (!count)
        return;
    begin_line(writer->lines, 'd', count);
    for (size_t i = 0; i < count; i++)
        write_number(writer->lines, writer->forgotten[i]);
    end_line(writer->lines);
}

static void write_clause(struct writer *writer, size_t clause, struct item *item)
{
    const struct exact_log *log = writer->log;
    size_t end, begin = proof_step_first(log, clause, &end);
    begin_line(writer->lines, 'c', begin - log->clause[clause] - 1);
    for (size_t i = log->clause[clause] + 1; i < begin; i++)
        write_literal(writer, log->number[i]);
    end_line(writer->lines);
    for (size_t at = begin; at < end;) {
        struct proof_step step = proof_step_read(log, &at);
        write_step(writer, &step, item);
    }
    write_forgotten(writer, clause);
}

static enum status write_search(struct writer *writer, uint64_t *kept, struct error *error)
{
    const struct exact_model *model = writer->learn->model;
    const struct exact_log *log = writer->log;
    struct scratch *scratch = &writer->scratch;
    struct item *item;
    TRY(proof_trim_create(writer->learn, scratch, &writer->trim, error));
    TRY(scratch_take(scratch, &writer->forgotten, log->clauses, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &item, model->buffers, sizeof *item, error));
    *kept = writer->trim.kept;
    write_choices(writer);
    write_cliques(writer, item);
    for (size_t c = 0; c < log->clauses; c++)
        if (writer->trim.clause[c])
            write_clause(writer, c, item);
    end_log(writer->lines);
    return text_check(writer->lines->text, error);
}

enum status proof_write_search(const struct exact_learn *learn, const uint32_t *buffer,
                               const struct proof_lines *lines, uint64_t *kept, struct error *error)
{
    struct writer writer = {.learn = learn,
                            .log = learn->log,
                            .buffer = buffer,
                            .unit = (int64_t)learn->model->unit_bytes,
                            .lines = lines};
    enum status status = write_search(&writer, kept, error);
    scratch_free(&writer.scratch);
    return status;
}
