/* MiniMalloc's format, as docs/formats.md has it. */
#include <string.h>

#include "proofs/checker/input.h"
#include "proofs/checker/problem_read.h"

/* Those before ID are numbers; HINT and STORAGE say nothing here. */
enum column { LOWER, UPPER, END, SIZE, ALIGNMENT, OFFSET, ID, GAPS, HINT, STORAGE, COLUMNS };

static const struct {
    const char *name;
    enum column column;
} NAMES[] = {{"id", ID},       {"buffer", ID},           {"buffer_id", ID}, {"lower", LOWER},
             {"start", LOWER}, {"begin", LOWER},         {"upper", UPPER},  {"end", END},
             {"size", SIZE},   {"alignment", ALIGNMENT}, {"gaps", GAPS},    {"offset", OFFSET},
             {"hint", HINT},   {"storage_id", STORAGE}};

struct table {
    enum column column[COLUMNS];
    int columns;
    bool has[COLUMNS];
};

/* Cuts the first field off a line, and blanks around it; *line is NULL behind the last one. */
static char *cut_field(char **line)
{
    static const char blanks[] = " \t\r\v\f";
    char *field = *line + strspn(*line, blanks), *comma = strchr(field, ',');
    char *end = comma ? comma : field + strlen(field);
    while (end > field && strchr(blanks, end[-1]))
        end--;
    *end = 0;
    *line = comma ? comma + 1 : NULL;
    return field;
}

static bool read_header(char *line, struct table *table, struct fault *fault)
{
    enum { KNOWN = sizeof NAMES / sizeof *NAMES };
    for (; line; table->columns++) {
        const char *name = cut_field(&line);
        size_t n = 0;
        while (n < KNOWN && strcmp(NAMES[n].name, name) != 0)
            n++;
        if (n == KNOWN || table->has[NAMES[n].column])
            return UNREADABLE(fault, "found the column '%.40s'%s", name,
                              n == KNOWN ? "" : " twice");
        table->column[table->columns] = NAMES[n].column;
        table->has[NAMES[n].column] = true;
    }
    return (table->has[ID] && table->has[LOWER] && table->has[SIZE] &&
            table->has[UPPER] != table->has[END]) ||
           UNREADABLE(fault, "expected the columns id, lower, upper or end, size");
}

/* A gap `4-6`: not live there; or `5-7@0:8`: only these bytes are in use. */
static bool read_gap(const char **at, bool inclusive, struct segment *gap, struct fault *fault)
{
    const char *begin = *at;
    *gap = (struct segment){0};
    bool fine = check_input_number(at, &gap->lower, fault) && check_input_take(at, '-') &&
                check_input_number(at, &gap->upper, fault);
    if (fine && check_input_take(at, '@'))
        fine = check_input_number(at, &gap->begin, fault) && check_input_take(at, ':') &&
               check_input_number(at, &gap->end, fault);
    gap->upper += inclusive;
    return (fine && (!**at || **at == ' ')) ||
           UNREADABLE(fault, "found the gaps '%.40s', expected BEGIN-END or BEGIN-END@FIRST:LAST",
                      begin);
}

/* Adds the segments between and in the gaps. */
static bool add_lifetime(struct problem *problem, const struct segment *life, bool inclusive,
                         const char *gaps, struct fault *fault)
{
    struct segment left = *life, gap;
    for (; *gaps; gaps += strspn(gaps, " ")) {
        NEED(read_gap(&gaps, inclusive, &gap, fault));
        if (gap.lower < left.lower || gap.upper <= gap.lower || gap.upper > life->upper)
            return UNREADABLE(fault, "expected gaps that ascend inside the lifetime");
        left.upper = gap.lower;
        if (left.lower < left.upper)
            NEED(check_problem_add_segment(problem, &left, fault));
        if (gap.end)
            NEED(check_problem_add_segment(problem, &gap, fault));
        left.lower = gap.upper;
    }
    left.upper = life->upper;
    return left.lower == left.upper || check_problem_add_segment(problem, &left, fault);
}

static bool read_row(char *line, const struct table *table, struct problem *problem,
                     struct fault *fault)
{
    const char *text[COLUMNS] = {[GAPS] = ""};
    int64_t number[COLUMNS] = {[ALIGNMENT] = 1, [OFFSET] = BUFFER_FREE};
    int fields = 0;
    for (; line && fields < table->columns; fields++) {
        enum column column = table->column[fields];
        const char *at = text[column] = cut_field(&line);
        if (column >= ID || (column == OFFSET && !*at))
            continue;
        NEED(check_input_number(&at, &number[column], fault));
        if (*at || number[column] < 0)
            return UNREADABLE(fault, "found '%.40s', expected a whole number of at least 0",
                              text[column]);
    }
    if (line || fields < table->columns)
        return UNREADABLE(fault, "expected %d fields", table->columns);
    const struct buffer buffer = {
        .size = number[SIZE], .alignment = number[ALIGNMENT], .fixed = number[OFFSET]};
    const struct segment life = {number[LOWER], table->has[END] ? number[END] + 1 : number[UPPER],
                                 0, number[SIZE]};
    return check_problem_add_buffer(problem, text[ID], strlen(text[ID]), &buffer, fault) &&
           add_lifetime(problem, &life, table->has[END], text[GAPS], fault);
}

bool check_problem_read_csv(const char *path, struct problem *problem, struct fault *fault)
{
    struct input input = {0};
    struct table table = {.columns = 0};
    bool fine = check_input_open(path, &input, fault), first = true;
    while (fine && !input.ended) {
        fine = check_input_text(&input, '\n', fault);
        bool is_blank = fine && !input.text[strspn(input.text, " \t\r")];
        bool is_note = fine && first && input.text[0] == '#';
        first = first && is_blank;
        if (fine && !is_blank && !is_note)
            fine = table.columns ? read_row(input.text, &table, problem, fault)
                                 : read_header(input.text, &table, fault);
    }
    check_input_close(&input);
    return fine && check_problem_sort(problem, fault);
}
