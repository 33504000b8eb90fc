#include "solvers/mip/files/solution.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "solvers/mip/model/program.h"

/* What has been read of a solution file. */
struct solution {
    const char *file;
    struct mip_program program;
    double *value;     /* [columns] */
    unsigned *line_of; /* [columns] where its value is; 0 for none yet */
    double objective;
    bool has_objective;
};

enum { MOST_WORDS = 8, WORD_BYTES = 128, LINE_BYTES = 256 };

/* The first words of a line. Those that are too long for a name or a number are cut. */
struct words {
    char word[MOST_WORDS][WORD_BYTES];
    uint32_t count;
    char line[LINE_BYTES]; /* its beginning in lower case */
};

struct reading {
    struct solution *solution;
    unsigned line;
    struct words words;
    enum { BEFORE_COLUMNS, IN_COLUMNS, AFTER_COLUMNS } place;
    uint32_t waiting; /* column whose value comes on the next line, in glpsol -o */
    struct error *error;
};

static const uint32_t none = UINT32_MAX;

static enum status fail(const struct reading *reading, const char *found, const char *expected)
{
    return error_set_at(reading->error, STATUS_BAD_INPUT, reading->solution->file, reading->line,
                        "found '%.80s', expected %s", found, expected);
}

static bool is_blank(char character)
{
    return character == ' ' || character == '\t' || character == '\r';
}

static void split_line(const struct text_line *line, struct words *words)
{
    const char *at = line->start, *end = line->start + line->length;
    size_t kept = line->length < LINE_BYTES - 1 ? line->length : LINE_BYTES - 1;
    for (size_t i = 0; i < kept; i++)
        words->line[i] = (char)tolower((unsigned char)line->start[i]);
    assert(kept < LINE_BYTES);
    words->line[kept] = '\0';
    words->count = 0;
    while (words->count < MOST_WORDS) {
        size_t length = 0;
        while (at < end && is_blank(*at))
            at++;
        if (at == end)
            return;
        char *word = words->word[words->count++];
        for (; at < end && !is_blank(*at); at++)
            if (length < WORD_BYTES - 1)
                word[length++] = *at;
        word[length] = '\0';
    }
}

static bool parse_number(const char *word, double *number)
{
    char *end;
    *number = strtod(word, &end);
    return end != word && !*end && isfinite(*number);
}

static bool word_is(const struct words *words, uint32_t index, const char *text)
{
    return index < words->count && strcmp(words->word[index], text) == 0;
}

/* True for names like r12: that is a row of the program, whose value says nothing new. */
static bool is_row_name(const char *word)
{
    return word[0] == 'r' && word[1] && strspn(word + 1, "0123456789") == strlen(word + 1);
}

static enum status set_value(struct reading *reading, uint32_t column, const char *word)
{
    assert(column < reading->solution->program.model->columns);
    struct solution *solution = reading->solution;
    if (solution->line_of[column])
        return fail(reading, names_get(&solution->program.names, column), "each column once");
    if (!parse_number(word, &solution->value[column]))
        return fail(reading, word, "a number");
    solution->line_of[column] = reading->line;
    return STATUS_OK;
}

/* Finds the objective: the first number after the word that announces it. */
static void find_objective(struct reading *reading)
{
    struct words *words = &reading->words;
    bool named = false;
    for (uint32_t i = 0; i < words->count && !reading->solution->has_objective; i++) {
        if (named && parse_number(words->word[i], &reading->solution->objective))
            reading->solution->has_objective = true;
        named = named || strstr(words->word[i], "bjective");
    }
}

/* True where the line says, in the words of one of the solvers, that there is no solution. */
static bool says_no_solution(const struct words *words)
{
    static const char *const signs[] = {"infeasible",    "unbounded",   "undefined",
                                        "integer empty", "no solution", "no integer solution"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(words->line, signs[i]))
            return true;
    return false;
}

static enum status read_header(struct reading *reading)
{
    const struct words *words = &reading->words;
    assert(words->count > 0);
    bool is_title = words->word[0][0] == '#' || word_is(words, 0, "Problem:");
    if (!is_title && says_no_solution(words))
        return fail(reading, words->line, "a solution");
    find_objective(reading);
    return STATUS_OK;
}

static uint32_t find_column(const struct reading *reading, uint32_t index)
{
    const struct words *words = &reading->words;
    return index < words->count ? names_find(&reading->solution->program.names, words->word[index])
                                : NAMES_NONE;
}

/* Which word of the line is the name: it comes after an index, if there is one, and after the **
   with which CBC marks what breaks a bound. */
static uint32_t find_name(const struct words *words)
{
    uint32_t at = word_is(words, 0, "**");
    double number;
    return at + (words->count > at + 2 && parse_number(words->word[at], &number));
}

/* Reads a line NAME VALUE or INDEX NAME VALUE. */
static enum status read_named_line(struct reading *reading)
{
    const struct words *words = &reading->words;
    uint32_t name = find_name(words), column = find_column(reading, name);
    if (reading->place == AFTER_COLUMNS)
        return STATUS_OK;
    if (column != NAMES_NONE && name + 1 < words->count) {
        reading->place = IN_COLUMNS;
        return set_value(reading, column, words->word[name + 1]);
    }
    if (reading->place == BEFORE_COLUMNS)
        return read_header(reading);
    if (word_is(words, 0, "#") && (word_is(words, 1, "Dual") || word_is(words, 1, "Basis")))
        reading->place = AFTER_COLUMNS;
    if (words->word[0][0] == '#' || (name < words->count && is_row_name(words->word[name])))
        return STATUS_OK;
    return fail(reading, words->word[name < words->count ? name : 0],
                "a column of the integer program and its value");
}

/* Reads the line of glpsol -w that is: s mip ROWS COLUMNS STATUS OBJECTIVE. */
static enum status read_raw_solution(struct reading *reading)
{
    const struct words *words = &reading->words;
    struct solution *solution = reading->solution;
    double columns = 0;
    if (!word_is(words, 1, "mip") || words->count < 6 ||
        !parse_number(words->word[5], &solution->objective))
        return fail(reading, words->line, "a line 's mip ROWS COLUMNS STATUS OBJECTIVE'");
    if (!word_is(words, 4, "o") && !word_is(words, 4, "f"))
        return fail(reading, words->word[4], "a solution, which has the status o or f");
    if (!parse_number(words->word[3], &columns) || columns != solution->program.model->columns)
        return fail(reading, words->word[3], "as many columns as the instance's program has");
    solution->has_objective = true;
    reading->place = IN_COLUMNS;
    return STATUS_OK;
}

/* Reads a line of glpsol -w that is: j COLUMN VALUE. */
static enum status read_raw_column(struct reading *reading)
{
    const struct words *words = &reading->words;
    uint64_t column;
    if (words->count < 3 || !text_parse_u64(words->word[1], strlen(words->word[1]), &column) ||
        column < 1 || column > reading->solution->program.model->columns)
        return fail(reading, words->line, "a line 'j COLUMN VALUE'");
    assert(reading->place == IN_COLUMNS);
    return set_value(reading, (uint32_t)column - 1, words->word[2]);
}

static enum status read_raw_line(struct reading *reading)
{
    const struct words *words = &reading->words;
    if (word_is(words, 0, "s") && reading->place == BEFORE_COLUMNS)
        return read_raw_solution(reading);
    if (word_is(words, 0, "j") && reading->place == IN_COLUMNS)
        return read_raw_column(reading);
    if (word_is(words, 0, "c") || word_is(words, 0, "i") || word_is(words, 0, "e"))
        return STATUS_OK;
    return fail(reading, words->line, "a line of glpsol -w, which begins with c, s, i, j or e");
}

/* Reads the value of a column in a report of glpsol -o, where * comes first if it is an integer
   one. */
static enum status read_report_value(struct reading *reading, uint32_t column, uint32_t at)
{
    const struct words *words = &reading->words;
    assert(column < reading->solution->program.model->columns);
    at += word_is(words, at, "*");
    reading->waiting = at < words->count ? none : column;
    return at < words->count ? set_value(reading, column, words->word[at]) : STATUS_OK;
}

/* Reads a line of a report of glpsol -o. A long name has a line of its own, before that of its
   value. The table of the columns ends at a line without the name of a column. */
static enum status read_report_line(struct reading *reading)
{
    const struct words *words = &reading->words;
    if (word_is(words, 0, "No.") && word_is(words, 1, "Column")) {
        reading->place = IN_COLUMNS;
        return STATUS_OK;
    }
    if (reading->place == BEFORE_COLUMNS)
        return read_header(reading);
    if (reading->place == AFTER_COLUMNS || words->word[0][0] == '-')
        return STATUS_OK;
    if (reading->waiting != none)
        return read_report_value(reading, reading->waiting, 0);
    if (!isdigit((unsigned char)words->word[0][0])) {
        reading->place = AFTER_COLUMNS;
        return STATUS_OK;
    }
    uint32_t column = find_column(reading, 1);
    if (column == NAMES_NONE)
        return fail(reading, words->line, "a column of the integer program");
    return read_report_value(reading, column, 2);
}

typedef enum status read_line(struct reading *reading);

static read_line *choose_form(const struct words *words)
{
    if (word_is(words, 0, "c") || word_is(words, 0, "s"))
        return read_raw_line;
    return word_is(words, 0, "Problem:") ? read_report_line : read_named_line;
}

static enum status read_lines(struct solution *solution, const struct text *text,
                              struct error *error)
{
    struct reading reading = {.solution = solution, .waiting = none, .error = error};
    struct text_line line = {0};
    read_line *read = NULL;
    while (text_next_line(text, &line)) {
        split_line(&line, &reading.words);
        reading.line = line.number;
        if (!reading.words.count)
            continue;
        if (!read)
            read = choose_form(&reading.words);
        TRY(read(&reading));
    }
    if (reading.place == BEFORE_COLUMNS)
        return fail(&reading, "no column", "the columns of the instance's integer program");
    return STATUS_OK;
}

/* How far below a whole number a solver may leave an offset. */
static const double offset_tolerance = 1e-5;

static enum status take_offset(const struct solution *solution, uint32_t buffer, struct plan *plan,
                               struct error *error)
{
    assert(buffer < plan->buffers);
    static const double most_units = 9007199254740992.0;
    const struct problem *problem = solution->program.model->problem;
    assert(1 + buffer < solution->program.model->columns);
    double units = floor(solution->value[1 + buffer] + offset_tolerance);
    unsigned line = solution->line_of[1 + buffer];
    uint64_t end;
    if (units < 0 || units >= most_units ||
        !checked_multiply((uint64_t)units, solution->program.model->scale, &plan->offset[buffer]) ||
        !checked_add(plan->offset[buffer], problem->size[buffer], &end) || end > INT64_MAX)
        return error_set_at(
            error, STATUS_BAD_INPUT, solution->file, line,
            "found offset %.17g of buffer '%s', expected 0 or more units of %" PRIu64
            " bytes, below 2^63 bytes",
            solution->value[1 + buffer], names_get(&problem->names, buffer),
            solution->program.model->scale);
    return STATUS_OK;
}

static uint64_t find_stated_bytes(const struct solution *solution)
{
    if (!solution->has_objective || solution->objective >= 18446744073709551615.0)
        return UINT64_MAX;
    return solution->objective > 0 ? (uint64_t)(solution->objective + 0.5) : 0;
}

static enum status take_offsets(const struct solution *solution, struct plan *plan,
                                struct error *error)
{
    const struct problem *problem = solution->program.model->problem;
    for (uint32_t b = 0; b < problem->buffers; b++)
        TRY(take_offset(solution, b, plan, error));
    TRY(plan_set_peak(plan, problem, error));
    if (find_stated_bytes(solution) < plan->measures.peak_bytes)
        plan->measures.peak_bytes = find_stated_bytes(solution);
    plan->status = PLAN_FEASIBLE;
    return STATUS_OK;
}

static enum status read_solution(struct solution *solution, const struct text *text,
                                 const struct problem *problem, struct plan *plan,
                                 struct error *error)
{
    assert(plan->buffers == problem->buffers);
    TRY(mip_program_create(problem, problem_ample_bytes(problem), &solution->program, error));
    uint32_t columns = solution->program.model->columns;
    TRY(memory_create(&solution->value, columns, sizeof *solution->value, error));
    TRY(memory_create(&solution->line_of, columns, sizeof *solution->line_of, error));
    TRY(read_lines(solution, text, error));
    return take_offsets(solution, plan, error);
}

enum status mip_solution_read(const struct text *text, const char *file,
                              const struct problem *problem, struct plan *plan, struct error *error)
{
    struct solution solution = {.file = file};
    enum status status = read_solution(&solution, text, problem, plan, error);
    mip_program_clear(&solution.program);
    memory_free(solution.value);
    memory_free(solution.line_of);
    return status;
}
