/* MiniMalloc's format, as docs/formats.md has it. */
#include <ctype.h>
#include <string.h>

#include "proofs/checker/input.h"
#include "proofs/checker/problem_read.h"

enum column { ID, LOWER, UPPER, END, SIZE, ALIGNMENT, GAPS, OFFSET, IGNORED, COLUMNS };
enum { MOST_FIELDS = 16 };

static const struct {
    const char *name;
    enum column column;
} NAMES[] = {{"id", ID},        {"buffer", ID},           {"buffer_id", ID}, {"lower", LOWER},
             {"start", LOWER},  {"begin", LOWER},         {"upper", UPPER},  {"end", END},
             {"size", SIZE},    {"alignment", ALIGNMENT}, {"gaps", GAPS},    {"offset", OFFSET},
             {"hint", IGNORED}, {"storage_id", IGNORED}};

struct field {
    char *begin, *end;
};

struct table {
    enum column column[MOST_FIELDS];
    int columns;
    bool has[COLUMNS];
};

/* Cuts a line at its commas, blanks around fields off; returns how many fields it has. */
static int split(char *line, struct field field[MOST_FIELDS])
{
    int fields = 0;
    for (char *at = line; fields < MOST_FIELDS; fields++) {
        char *comma = strchr(at, ','), *end = comma ? comma : at + strlen(at);
        while (at < end && isspace((unsigned char)*at))
            at++;
        field[fields].begin = at;
        at = end + 1;
        while (end > field[fields].begin && isspace((unsigned char)end[-1]))
            end--;
        field[fields].end = end;
        if (!comma)
            return fields + 1;
    }
    return fields + 1;
}

static bool is_blank(const char *line)
{
    return line[strspn(line, " \t\r")] == 0;
}

static bool read_header(char *line, struct table *table, struct fault *fault)
{
    struct field field[MOST_FIELDS];
    table->columns = split(line, field);
    if (table->columns > MOST_FIELDS)
        return check_fault_unreadable(fault, "found more than %d columns", MOST_FIELDS);
    for (int i = 0; i < table->columns; i++) {
        *field[i].end = 0;
        size_t n = 0;
        while (n < sizeof NAMES / sizeof *NAMES && strcmp(NAMES[n].name, field[i].begin) != 0)
            n++;
        if (n == sizeof NAMES / sizeof *NAMES)
            return check_fault_unreadable(fault, "found the column '%.40s'", field[i].begin);
        table->column[i] = NAMES[n].column;
        if (NAMES[n].column != IGNORED && table->has[NAMES[n].column])
            return check_fault_unreadable(fault, "found the column '%.40s' twice", field[i].begin);
        table->has[NAMES[n].column] = true;
    }
    if (!table->has[ID] || !table->has[LOWER] || !table->has[SIZE] ||
        table->has[UPPER] == table->has[END])
        return check_fault_unreadable(fault, "expected the columns id, lower, upper or end, size");
    return true;
}

/* A gap `4-6`: not live there; or `5-7@0:8`: only these bytes are in use. */
static bool read_gap(char *text, const char *end, bool inclusive, struct segment *gap,
                     struct fault *fault)
{
    const char *dash = memchr(text, '-', (size_t)(end - text));
    const char *at = memchr(text, '@', (size_t)(end - text));
    const char *colon = at ? memchr(at, ':', (size_t)(end - at)) : NULL;
    *gap = (struct segment){0};
    if (!dash || (at && (at < dash || !colon)))
        return check_fault_unreadable(fault, "found the gap '%.*s'", (int)(end - text), text);
    FAULT_TRY(check_input_number(text, dash, &gap->lower, fault));
    FAULT_TRY(check_input_number(dash + 1, at ? at : end, &gap->upper, fault));
    gap->upper += inclusive;
    if (!at)
        return true;
    FAULT_TRY(check_input_number(at + 1, colon, &gap->begin, fault));
    return check_input_number(colon + 1, end, &gap->end, fault);
}

/* Adds the segments between and in the gaps. */
static bool add_lifetime(struct problem *problem, const struct segment *life, bool inclusive,
                         struct field gaps, struct fault *fault)
{
    struct segment left = *life;
    while (gaps.begin < gaps.end) {
        char *end = gaps.begin;
        struct segment gap;
        while (end < gaps.end && *end != ' ')
            end++;
        FAULT_TRY(read_gap(gaps.begin, end, inclusive, &gap, fault));
        if (gap.lower < left.lower || gap.upper <= gap.lower || gap.upper > life->upper)
            return check_fault_unreadable(fault, "expected gaps that ascend inside the lifetime");
        left.upper = gap.lower;
        if (left.lower < left.upper)
            FAULT_TRY(check_problem_add_segment(problem, &left, fault));
        if (gap.end)
            FAULT_TRY(check_problem_add_segment(problem, &gap, fault));
        left.lower = gap.upper;
        gaps.begin = end + strspn(end, " ");
    }
    left.upper = life->upper;
    return left.lower == left.upper || check_problem_add_segment(problem, &left, fault);
}

static bool read_row(char *line, const struct table *table, struct problem *problem,
                     struct fault *fault)
{
    struct field field[MOST_FIELDS], of[COLUMNS] = {{NULL, NULL}};
    int64_t number[COLUMNS] = {[ALIGNMENT] = 1, [OFFSET] = PROBLEM_FREE};
    int fields = split(line, field);
    if (fields != table->columns)
        return check_fault_unreadable(fault, "found %d fields, expected %d", fields,
                                      table->columns);
    for (int i = 0; i < fields; i++) {
        enum column column = table->column[i];
        of[column] = field[i];
        if (column == ID || column == GAPS || column == IGNORED ||
            (column == OFFSET && field[i].begin == field[i].end))
            continue;
        FAULT_TRY(check_input_number(field[i].begin, field[i].end, &number[column], fault));
        if (number[column] < 0)
            return check_fault_unreadable(fault, "found a number below 0");
    }
    FAULT_TRY(check_problem_begin_buffer(problem, of[ID].begin, (size_t)(of[ID].end - of[ID].begin),
                                         fault));
    uint32_t b = problem->buffers - 1;
    problem->size[b] = number[SIZE];
    problem->alignment[b] = number[ALIGNMENT];
    problem->fixed[b] = number[OFFSET];
    FAULT_TRY(check_problem_check_buffer(problem, fault));
    const struct segment life = {number[LOWER], table->has[END] ? number[END] + 1 : number[UPPER],
                                 0, number[SIZE]};
    return add_lifetime(problem, &life, table->has[END], of[GAPS], fault);
}

bool check_problem_read_csv(const char *path, struct problem *problem, struct fault *fault)
{
    struct input *input = NULL;
    struct table table = {.columns = 0};
    char *line = NULL;
    FAULT_TRY(check_input_open(path, &input, fault));
    bool fine = check_input_line(input, false, &line, fault), first = true;
    for (; fine && line; fine = fine && check_input_line(input, false, &line, fault)) {
        if (is_blank(line) || (first && line[0] == '#')) {
            first = first && is_blank(line);
            continue;
        }
        first = false;
        fine = table.columns ? read_row(line, &table, problem, fault)
                             : read_header(line, &table, fault);
    }
    check_input_close(input);
    return fine;
}
