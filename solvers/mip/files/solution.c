#include "solvers/mip/files/solution.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"

/* What has been read of a solution file. */
struct solution {
    const char *file;
    const struct mip_program *program;
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
    assert(reading->line > 0 || reading->place == BEFORE_COLUMNS);
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
        assert(length < WORD_BYTES);
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
    assert(column < reading->solution->program->model->columns);
    struct solution *solution = reading->solution;
    if (solution->line_of[column])
        return fail(reading, names_get(&solution->program->names, column), "each column once");
    if (!parse_number(word, &solution->value[column]))
        return fail(reading, word, "a number");
    solution->line_of[column] = reading->line;
    return STATUS_OK;
}

/* Reads a line before the columns. It may say, in the words of one of the solvers, that there is no
   solution; the objective is the first number after the word that announces it. */
static enum status read_header(struct reading *reading)
{
    static const char *const signs[] = {"infeasible",    "unbounded",   "undefined",
                                        "integer empty", "no solution", "no integer solution"};
    const struct words *words = &reading->words;
    struct solution *solution = reading->solution;
    bool is_title = words->word[0][0] == '#' || word_is(words, 0, "Problem:"), named = false;
    assert(words->count > 0 && reading->place == BEFORE_COLUMNS);
    for (size_t i = 0; i < sizeof signs / sizeof *signs && !is_title; i++)
        if (strstr(words->line, signs[i]))
            return fail(reading, words->line, "a solution");
    for (uint32_t i = 0; i < words->count && !solution->has_objective; i++) {
        solution->has_objective = named && parse_number(words->word[i], &solution->objective);
        named = named || strstr(words->word[i], "bjective");
    }
    return STATUS_OK;
}

/* Reads a line NAME VALUE or INDEX NAME VALUE, which may begin with the ** by which CBC marks what
   breaks a bound. */
static enum status read_named_line(struct reading *reading)
{
    const struct words *words = &reading->words;
    const struct names *names = &reading->solution->program->names;
    uint32_t at = word_is(words, 0, "**"), column = NAMES_NONE;
    double number;
    assert(words->count > 0);
    if (reading->place == AFTER_COLUMNS)
        return STATUS_OK;
    at += words->count > at + 2 && parse_number(words->word[at], &number);
    if (at + 1 < words->count)
        column = names_find(names, words->word[at]);
    if (column != NAMES_NONE) {
        reading->place = IN_COLUMNS;
        return set_value(reading, column, words->word[at + 1]);
    }
    /* A name and a number are a column of another program; among titles only the objective. */
    bool is_other = at + 1 < words->count && parse_number(words->word[at + 1], &number) &&
                    words->word[at][0] != '#' && !strstr(words->word[at], "bjective");
    if (reading->place == BEFORE_COLUMNS && !is_other)
        return read_header(reading);
    if (word_is(words, 0, "#") && (word_is(words, 1, "Dual") || word_is(words, 1, "Basis")))
        reading->place = AFTER_COLUMNS;
    if (words->word[0][0] == '#' || (at < words->count && is_row_name(words->word[at])))
        return STATUS_OK;
    return fail(reading, words->word[at < words->count ? at : 0],
                "a column of the integer program and its value");
}

/* The value of attribute NAME="VALUE" of the line, without the quotation marks; NULL for none. */
static const char *find_attribute(struct words *words, const char *name)
{
    assert(words->count <= MOST_WORDS);
    size_t length = strlen(name);
    assert(length > 0 && name[length - 1] == '"');
    for (uint32_t i = 0; i < words->count; i++) {
        char *word = words->word[i];
        char *end = strncmp(word, name, length) == 0 ? strchr(word + length, '"') : NULL;
        if (!end)
            continue;
        *end = '\0';
        return word + length;
    }
    return NULL;
}

/* Reads a line of CPLEX's XML, which has one element, or one attribute of the header. */
static enum status read_xml_line(struct reading *reading)
{
    struct words *words = &reading->words;
    assert(words->count > 0);
    struct solution *solution = reading->solution;
    const char *objective = find_attribute(words, "objectiveValue=\"");
    if (objective && !parse_number(objective, &solution->objective))
        return fail(reading, objective, "a number");
    solution->has_objective |= objective != NULL;
    if (!word_is(words, 0, "<variable"))
        return STATUS_OK;
    const char *name = find_attribute(words, "name=\"");
    const char *value = find_attribute(words, "value=\"");
    if (!name || !value)
        return fail(reading, words->line, "a name and a value");
    uint32_t column = names_find(&solution->program->names, name);
    if (column == NAMES_NONE)
        return fail(reading, name, "a column of the integer program and its value");
    reading->place = IN_COLUMNS;
    return set_value(reading, column, value);
}

/* Reads a line of a report of glpsol -o. A long name has a line of its own, before that of its
   value, where * comes first if the column is an integer one. The table of the columns ends at a
   line without the name of a column. */
static enum status read_report_line(struct reading *reading)
{
    const struct words *words = &reading->words;
    uint32_t column = reading->waiting, at = 0;
    assert(words->count > 0);
    if (word_is(words, 0, "No.") && word_is(words, 1, "Column")) {
        reading->place = IN_COLUMNS;
        return STATUS_OK;
    }
    if (reading->place == BEFORE_COLUMNS)
        return read_header(reading);
    if (reading->place == AFTER_COLUMNS || words->word[0][0] == '-')
        return STATUS_OK;
    if (column == none) {
        if (!isdigit((unsigned char)words->word[0][0])) {
            reading->place = AFTER_COLUMNS;
            return STATUS_OK;
        }
        column = words->count > 1 ? names_find(&reading->solution->program->names, words->word[1])
                                  : NAMES_NONE;
        if (column == NAMES_NONE)
            return fail(reading, words->line, "a column of the integer program");
        at = 2;
    }
    at += word_is(words, at, "*");
    reading->waiting = at < words->count ? none : column;
    return at < words->count ? set_value(reading, column, words->word[at]) : STATUS_OK;
}

static enum status read_lines(struct solution *solution, const struct text *text,
                              struct error *error)
{
    struct reading reading = {.solution = solution, .waiting = none, .error = error};
    const struct words *words = &reading.words;
    struct text_line line = {0};
    enum status (*read)(struct reading *) = NULL;
    while (text_next_line(text, &line)) {
        split_line(&line, &reading.words);
        reading.line = line.number;
        if (!words->count)
            continue;
        if (!read)
            read = words->word[0][0] == '<'        ? read_xml_line
                   : word_is(words, 0, "Problem:") ? read_report_line
                                                   : read_named_line;
        TRY(read(&reading));
    }
    if (reading.place == BEFORE_COLUMNS)
        return fail(&reading, "no column", "the columns of the instance's integer program");
    return STATUS_OK;
}

enum status mip_solution_read_values(const struct text *text, const char *file,
                                     const struct mip_program *program, double *values,
                                     double *objective, struct error *error)
{
    SCOPED(memory_release) unsigned *line_of = NULL;
    TRY(memory_create(&line_of, program->model->columns, sizeof *line_of, error));
    struct solution solution = {file, program, values, line_of, .has_objective = false};
    TRY(read_lines(&solution, text, error));
    *objective = solution.has_objective ? solution.objective : NAN;
    return STATUS_OK;
}

/* How far below a whole number a solver may leave an offset. */
static const double offset_tolerance = 1e-5;

static enum status take_offset(const struct solution *solution, uint32_t buffer, struct plan *plan,
                               struct error *error)
{
    assert(buffer < plan->buffers && solution->program->model->first_offset != MIP_NO_COLUMN);
    static const double most_units = 9007199254740992.0;
    const struct problem *problem = solution->program->model->problem;
    uint32_t column = solution->program->model->first_offset + buffer;
    double units = floor(solution->value[column] + offset_tolerance);
    unsigned line = solution->line_of[column];
    uint64_t end;
    if (units < 0 || units >= most_units ||
        !checked_multiply((uint64_t)units, solution->program->model->scale,
                          &plan->offset[buffer]) ||
        !checked_add(plan->offset[buffer], problem->size[buffer], &end) || end > INT64_MAX)
        return error_set_at(
            error, STATUS_BAD_INPUT, solution->file, line,
            "found offset %.17g of buffer '%s', expected 0 or more units of %" PRIu64
            " bytes, below 2^63 bytes",
            solution->value[column], names_get(&problem->names, buffer),
            solution->program->model->scale);
    return STATUS_OK;
}

static enum status read_by(const struct mip_formulation *formulation, const struct text *text,
                           const char *file, const struct problem *problem, struct plan *plan,
                           struct error *error)
{
    SCOPED(mip_program_clear) struct mip_program program = {0};
    SCOPED(memory_release) double *value = NULL;
    SCOPED(memory_release) unsigned *line_of = NULL;
    assert(plan->buffers == problem->buffers);
    TRY(mip_program_create(problem, formulation, problem_ample_bytes(problem), &program, error));
    const struct mip_model *model = program.model;
    TRY(memory_create_all(model->columns, error, &value, &line_of));
    struct solution solution = {file, &program, value, line_of, .has_objective = false};
    TRY(read_lines(&solution, text, error));
    if (model->first_offset == MIP_NO_COLUMN && !formulation->to_plan(model, solution.value, plan))
        return error_set_at(error, STATUS_BAD_INPUT, file, 0,
                            "found values that stand for no plan, expected a solution");
    for (uint32_t b = 0; b < problem->buffers && model->first_offset != MIP_NO_COLUMN; b++)
        TRY(take_offset(&solution, b, plan, error));
    TRY(plan_set_peak(plan, problem, error));
    plan->status = PLAN_FEASIBLE;
    /* The file may say that its peak is lower, which the check of the plan then finds wrong. */
    uint64_t stated_bytes = UINT64_MAX;
    if (solution.has_objective && solution.objective < 18446744073709551615.0)
        stated_bytes = solution.objective > 0 ? (uint64_t)(solution.objective + 0.5) : 0;
    if (stated_bytes < plan->measures.peak_bytes)
        plan->measures.peak_bytes = stated_bytes;
    return STATUS_OK;
}

enum status mip_solution_read(const struct text *text, const char *file,
                              const struct problem *problem, struct plan *plan, struct error *error)
{
    /* The error is that of the formulation by which most of the file could be read. */
    struct error worst = ERROR_NONE;
    for (uint32_t i = 0; i < mip_formulation_count(); i++) {
        struct error fault = ERROR_NONE;
        enum status status = read_by(mip_formulation_at(i), text, file, problem, plan, &fault);
        if (status == STATUS_OK)
            return status;
        if (!worst.status || fault.line > worst.line || error_is_no_memory(&fault))
            worst = fault;
        if (error_is_no_memory(&fault))
            break;
    }
    assert(worst.status);
    *error = worst;
    return worst.status;
}
