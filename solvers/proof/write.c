#include "solvers/proof/write.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/scratch.h"
#include "planning/problem/explicit_conflicts.h"

static uint64_t add_number(uint64_t hash, int64_t number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64 " ", number);
    for (const char *at = digits; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
    return hash;
}

/* Of each buffer its size, alignment, fixed offset or -1, and its segments before the conflict
   steps; adjoining ones that use the same bytes count as one. */
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
            assert(low < high);
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
                      struct text *text)
{
    assert(head->unit_bytes > 0 && (!head->buffer || head->buffers > 0));
    text_append(text,
                "memplan-proof 1\nproblem %016" PRIx64 "\ncapacity %" PRIu64 "\nunit %" PRIu64
                "\nuse",
                find_fingerprint(problem), head->capacity_bytes, head->unit_bytes);
    for (uint32_t i = 0; head->buffer && i < head->buffers; i++)
        text_append(text, " %" PRIu32, head->buffer[i]);
    text_append(text, head->buffer ? "\n" : " all\n");
}

static void write_member(uint32_t buffer, uint64_t lower, uint64_t upper, uint64_t size,
                         struct text *text)
{
    assert(lower < upper && upper <= size);
    if (lower || upper != size)
        text_append(text, " %" PRIu32 ":%" PRIu64 ":%" PRIu64, buffer, lower, upper);
    else
        text_append(text, " %" PRIu32, buffer);
}

void proof_write_load(const struct problem *problem, bool load, uint32_t step,
                      uint64_t capacity_bytes, struct text *text)
{
    text_append(text, load ? "q" : "");
    for (uint32_t b = 0; load && b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            if (problem->lower[s] <= step && step < problem->upper[s])
                write_member(b, problem_window_lower(problem, s), problem_window_upper(problem, s),
                             problem->size[b], text);
    if (load)
        text_append(text, "\nc\nK 1 0 %" PRIu64 "\nend\n", capacity_bytes);
    else
        text_append(text, "c\nend\n");
}

/* How the numbers of the log become those of the lines. */
struct writer {
    const struct exact_learn *learn;
    const struct exact_log *log;
    const uint32_t *buffer; /* [buffers of the part] in the whole problem */
    int64_t unit;
    uint32_t *choice;   /* [variables] from 1 on; 0 where it is not used */
    uint32_t *clique;   /* [sections] likewise */
    uint32_t *clause;   /* [clauses] likewise, as they are kept */
    uint32_t *last_use; /* [clauses] the last clause that uses it */
    struct text *text;
    struct scratch scratch;
};

/* A step of the log, and how many numbers of each kind it has behind its rule. */
struct step {
    enum exact_rule rule;
    const int64_t *number;
    size_t literals, literal_at; /* the last ones */
    bool has_section;
};

/* The step at `at`; moves that behind it. */
static struct step read_step(const struct exact_log *log, size_t *at)
{
    struct step step = {.rule = (enum exact_rule)log->number[*at],
                        .number = log->number + *at + 1,
                        .literals = 1,
                        .has_section = true};
    switch (step.rule) {
    case EXACT_STEP_CLAUSE:
        step.literals = 0;
        step.literal_at = 1;
        step.has_section = false;
        break;
    case EXACT_STEP_WEAKEN:
        step.literals = 2;
        step.has_section = false;
        break;
    case EXACT_STEP_OVERLOAD:
        step.literals = 0;
        step.literal_at = 3;
        break;
    case EXACT_STEP_EDGE:
        step.literal_at = 3;
        break;
    case EXACT_STEP_CHAIN:
    case EXACT_STEP_HANG:
        step.literals = (size_t)step.number[2];
        step.literal_at = 3;
        break;
    default:
        assert(step.rule == EXACT_STEP_PASS || step.rule == EXACT_STEP_EXCLUDE);
        step.has_section = false;
        break;
    }
    *at += 1 + step.literal_at + step.literals;
    assert(*at <= log->numbers);
    return step;
}

static size_t find_steps(const struct exact_log *log, size_t clause, size_t *end)
{
    assert(clause < log->clauses);
    size_t begin = log->clause[clause];
    *end = clause + 1 < log->clauses ? log->clause[clause + 1] : log->numbers;
    assert(begin < *end && log->number[begin] >= 0);
    return begin + 1 + (size_t)log->number[begin];
}

/* Goes back from the last clause, and marks what it rests on. Numbers what is marked. */
static void mark_used(struct writer *writer, uint64_t *kept)
{
    const struct exact_log *log = writer->log;
    assert(log->clauses > 0);
    uint32_t count = 0;
    writer->clause[log->clauses - 1] = 1;
    for (size_t c = log->clauses; c-- > 0;) {
        size_t end, at = find_steps(log, c, &end);
        assert(at <= end);
        if (!writer->clause[c])
            continue;
        for (size_t i = log->clause[c] + 1; i < at; i++)
            writer->choice[log->number[i] / 2] = 1;
        while (at < end) {
            struct step step = read_step(log, &at);
            for (size_t i = 0; i < step.literals; i++)
                writer->choice[step.number[step.literal_at + i] / 2] = 1;
            if (step.has_section)
                writer->clique[step.number[0]] = 1;
            if (step.rule != EXACT_STEP_CLAUSE)
                continue;
            assert((size_t)step.number[0] < c);
            if (!writer->clause[step.number[0]])
                writer->last_use[step.number[0]] = (uint32_t)c;
            writer->clause[step.number[0]] = 1;
        }
    }
    for (size_t c = 0; c < log->clauses; c++)
        if (writer->clause[c])
            writer->clause[c] = ++count;
    *kept = count;
}

static void write_choices(struct writer *writer)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < writer->learn->variables; v++) {
        const struct exact_literal *literal = &writer->learn->literal[2 * (size_t)v];
        assert(literal->from != literal->to);
        if (!writer->choice[v])
            continue;
        writer->choice[v] = ++count;
        text_append(writer->text, "v %" PRIu32 " %" PRIu32 " %" PRId64 " %" PRId64 "\n",
                    writer->buffer[literal->from], writer->buffer[literal->to],
                    literal[0].distance * writer->unit, literal[1].distance * writer->unit);
    }
}

struct item {
    uint32_t buffer;
    uint64_t at; /* of a member; of a literal what it is */
};

static int compare_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

/* Members rise by buffer, so that chains can name them in this order. */
static void write_cliques(struct writer *writer, struct item *item)
{
    const struct exact_model *model = writer->learn->model;
    uint64_t unit = (uint64_t)writer->unit;
    uint32_t count = 0;
    for (uint32_t s = 0; s < model->sections; s++) {
        if (!writer->clique[s])
            continue;
        writer->clique[s] = ++count;
        size_t members = 0;
        for (uint64_t m = model->first[s]; m < model->first[s + 1]; m++)
            item[members++] = (struct item){model->member[m], m};
        assert(members > 0);
        qsort(item, members, sizeof *item, compare_items);
        text_append(writer->text, "q");
        for (size_t i = 0; i < members; i++) {
            uint64_t lower = exact_member_lower(model, item[i].at);
            uint64_t upper = lower + exact_member_width(model, item[i].at);
            write_member(writer->buffer[item[i].buffer], lower * unit, upper * unit,
                         model->size[item[i].buffer] * unit, writer->text);
        }
        text_append(writer->text, "\n");
    }
}

static void write_literal(const struct writer *writer, int64_t literal)
{
    assert(literal >= 0 && writer->choice[literal / 2]);
    text_append(writer->text, literal & 1 ? " -%" PRIu32 : " %" PRIu32,
                writer->choice[literal / 2]);
}

static void write_chain(const struct writer *writer, const struct step *step, struct item *item)
{
    for (size_t i = 0; i < step->literals; i++) {
        int64_t literal = step->number[step->literal_at + i];
        const struct exact_literal *edge = &writer->learn->literal[literal];
        assert(edge->from != edge->to);
        item[i] =
            (struct item){step->rule == EXACT_STEP_HANG ? edge->to : edge->from, (uint64_t)literal};
    }
    qsort(item, step->literals, sizeof *item, compare_items);
    for (size_t i = 0; i < step->literals; i++)
        write_literal(writer, (int64_t)item[i].at);
}

static void write_step(const struct writer *writer, const struct step *step, struct item *item)
{
    text_append(writer->text, "%c", (char)step->rule);
    if (step->rule == EXACT_STEP_CLAUSE)
        text_append(writer->text, " %" PRIu32, writer->clause[step->number[0]]);
    if (step->has_section)
        text_append(writer->text, " %" PRIu32 " %" PRId64, writer->clique[step->number[0]],
                    step->number[1] * writer->unit);
    if (step->rule == EXACT_STEP_OVERLOAD || step->rule == EXACT_STEP_EDGE)
        text_append(writer->text, " %" PRId64, step->number[2] * writer->unit);
    if (step->rule == EXACT_STEP_CHAIN || step->rule == EXACT_STEP_HANG)
        write_chain(writer, step, item);
    else
        for (size_t i = 0; i < step->literals; i++)
            write_literal(writer, step->number[step->literal_at + i]);
    text_append(writer->text, "\n");
}

/* Writes a clause and its steps, and forgets the clauses that were used for the last time. */
static void write_clause(struct writer *writer, size_t clause, struct item *item)
{
    assert(writer->clause[clause]);
    const struct exact_log *log = writer->log;
    size_t end, begin = find_steps(log, clause, &end);
    bool forgets = false;
    text_append(writer->text, "c");
    for (size_t i = log->clause[clause] + 1; i < begin; i++)
        write_literal(writer, log->number[i]);
    text_append(writer->text, "\n");
    for (size_t at = begin; at < end;) {
        struct step step = read_step(log, &at);
        write_step(writer, &step, item);
    }
    for (size_t at = begin; at < end;) {
        struct step step = read_step(log, &at);
        if (step.rule != EXACT_STEP_CLAUSE || writer->last_use[step.number[0]] != clause)
            continue;
        text_append(writer->text, "%s %" PRIu32, forgets ? "" : "d",
                    writer->clause[step.number[0]]);
        writer->last_use[step.number[0]] = UINT32_MAX;
        forgets = true;
    }
    text_append(writer->text, forgets ? "\n" : "");
}

static enum status write_search(struct writer *writer, uint64_t *kept, struct error *error)
{
    const struct exact_model *model = writer->learn->model;
    assert(model->unit_bytes > 0);
    const struct exact_log *log = writer->log;
    struct scratch *scratch = &writer->scratch;
    struct item *item;
    TRY(scratch_take(scratch, &writer->choice, writer->learn->variables, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &writer->clique, model->sections, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &writer->clause, log->clauses, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &writer->last_use, log->clauses, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &item, model->buffers, sizeof *item, error));
    assert(log->clauses > 0 && !log->number[log->clause[log->clauses - 1]]);
    mark_used(writer, kept);
    write_choices(writer);
    write_cliques(writer, item);
    for (size_t c = 0; c < log->clauses; c++)
        if (writer->clause[c])
            write_clause(writer, c, item);
    text_append(writer->text, "end\n");
    return text_check(writer->text, error);
}

enum status proof_write_search(const struct exact_learn *learn, const uint32_t *buffer,
                               struct text *text, uint64_t *kept, struct error *error)
{
    struct writer writer = {.learn = learn,
                            .log = learn->log,
                            .buffer = buffer,
                            .unit = (int64_t)learn->model->unit_bytes,
                            .text = text};
    enum status status = write_search(&writer, kept, error);
    scratch_free(&writer.scratch);
    return status;
}
