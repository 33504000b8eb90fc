/* MiniMalloc's format, as docs/formats.md has it. */
#include <assert.h>
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

/* Cuts a line at its commas, blanks around fields off; more than MOST_FIELDS for too many. */
static int split(char *line, struct field field[MOST_FIELDS])
{
    for (int fields = 0; fields < MOST_FIELDS; fields++) {
        char *comma = strchr(line, ','), *end = comma ? comma : line + strlen(line);
        while (line < end && isspace((unsigned char)*line))
            line++;
        field[fields].begin = line;
        line = end + 1;
        while (end > field[fields].begin && isspace((unsigned char)end[-1]))
            end--;
        field[fields].end = end;
        if (!comma)
            return fields + 1;
    }
    return MOST_FIELDS + 1;
}

static bool read_header(char *line, struct table *table, struct fault *fault)
{
    enum { KNOWN = sizeof NAMES / sizeof *NAMES };
    struct field field[MOST_FIELDS];
    table->columns = split(line, field);
    if (table->columns > MOST_FIELDS)
        return UNREADABLE(fault, "found more than %d columns", MOST_FIELDS);
    for (int i = 0; i < table->columns; i++) {
        *field[i].end = 0;
        size_t n = 0;
        while (n < KNOWN && strcmp(NAMES[n].name, field[i].begin) != 0)
            n++;
        if (n == KNOWN || (NAMES[n].column != IGNORED && table->has[NAMES[n].column]))
            return UNREADABLE(fault, "found the column '%.40s'%s", field[i].begin,
                              n == KNOWN ? "" : " twice");
        table->column[i] = NAMES[n].column;
        table->has[NAMES[n].column] = true;
    }
    return (table->has[ID] && table->has[LOWER] && table->has[SIZE] &&
            table->has[UPPER] != table->has[END]) ||
           UNREADABLE(fault, "expected the columns id, lower, upper or end, size");
}

/* A gap `4-6`: not live there; or `5-7@0:8`: only these bytes are in use. */
static bool read_gap(struct field text, bool inclusive, struct segment *gap, struct fault *fault)
{
    const char *dash = memchr(text.begin, '-', (size_t)(text.end - text.begin));
    const char *at = memchr(text.begin, '@', (size_t)(text.end - text.begin));
    const char *colon = at ? memchr(at, ':', (size_t)(text.end - at)) : NULL;
    *gap = (struct segment){0};
    if (!dash || (at && (at < dash || !colon)))
        return UNREADABLE(fault, "found the gap '%.*s'", (int)(text.end - text.begin), text.begin);
    NEED(check_input_number(text.begin, dash, &gap->lower, fault));
    NEED(check_input_number(dash + 1, at ? at : text.end, &gap->upper, fault));
    gap->upper += inclusive;
    return !at || (check_input_number(at + 1, colon, &gap->begin, fault) &&
                   check_input_number(colon + 1, text.end, &gap->end, fault));
}

/* Adds the segments between and in the gaps. */
static bool add_lifetime(struct problem *problem, const struct segment *life, bool inclusive,
                         struct field gaps, struct fault *fault)
{
    struct segment left = *life, gap;
    while (gaps.begin < gaps.end) {
        char *blank = memchr(gaps.begin, ' ', (size_t)(gaps.end - gaps.begin));
        char *end = blank ? blank : gaps.end;
        NEED(read_gap((struct field){gaps.begin, end}, inclusive, &gap, fault));
        if (gap.lower < left.lower || gap.upper <= gap.lower || gap.upper > life->upper)
            return UNREADABLE(fault, "expected gaps that ascend inside the lifetime");
        left.upper = gap.lower;
        if (left.lower < left.upper)
            NEED(check_problem_add_segment(problem, &left, fault));
        if (gap.end)
            NEED(check_problem_add_segment(problem, &gap, fault));
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
    int64_t number[COLUMNS] = {[ALIGNMENT] = 1, [OFFSET] = BUFFER_FREE};
    if (split(line, field) != table->columns)
        return UNREADABLE(fault, "expected %d fields", table->columns);
    for (int i = 0; i < table->columns; i++) {
        enum column column = table->column[i];
        bool is_empty = field[i].begin == field[i].end;
        of[column] = field[i];
        if (column == ID || column == GAPS || column == IGNORED || (column == OFFSET && is_empty))
            continue;
        NEED(check_input_number(field[i].begin, field[i].end, &number[column], fault));
        if (number[column] < 0)
            return UNREADABLE(fault, "found a number below 0");
    }
    const struct buffer buffer = {
        .size = number[SIZE], .alignment = number[ALIGNMENT], .fixed = number[OFFSET]};
    const struct segment life = {number[LOWER], table->has[END] ? number[END] + 1 : number[UPPER],
                                 0, number[SIZE]};
    assert(of[ID].begin && of[ID].begin <= of[ID].end);
    return check_problem_add_buffer(problem, of[ID].begin, (size_t)(of[ID].end - of[ID].begin),
                                    &buffer, fault) &&
           add_lifetime(problem, &life, table->has[END], of[GAPS], fault);
}

bool check_problem_read_csv(const char *path, struct problem *problem, struct fault *fault)
{
    struct input input = {0};
    struct table table = {.columns = 0};
    char *line = NULL;
    bool fine = check_input_open(path, &input, fault), first = true;
    fine = fine && check_input_line(&input, false, &line, fault);
    for (; fine && line; fine = fine && check_input_line(&input, false, &line, fault)) {
        bool is_blank = line[strspn(line, " \t\r")] == 0;
        bool is_note = first && line[0] == '#';
        first = first && is_blank;
        if (!is_blank && !is_note)
            fine = table.columns ? read_row(line, &table, problem, fault)
                                 : read_header(line, &table, fault);
    }
    check_input_close(&input);
    return fine;
}
