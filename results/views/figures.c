#include "results/views/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/views/arithmetic.h"

bool figures_next(const char *source, unsigned *row, struct figure *figure)
{
    const struct {
        const char *column;
        struct published_value *value;
    } cells[] = {
        {"place", &figure->place},       {"figure", &figure->figure},
        {"printed", &figure->printed},   {"unit", &figure->unit},
        {"instance", &figure->instance}, {"variant", &figure->variant},
        {"measure", &figure->measure},   {"verdict", &figure->kind},
        {"reason", &figure->reason},
    };
    figure->source = source;
    for (unsigned i = 0; i < sizeof cells / sizeof *cells; i++)
        if (!published_cell(source, *row, cells[i].column, cells[i].value))
            cells[i].value->text[0] = '\0';
    ++*row;
    return *figure->printed.text != '\0';
}

/* The digits of a printed figure, without the sign for "about". */
static const char *find_digits(const struct figure *figure)
{
    return figure->printed.text + (figure->printed.text[0] == '~');
}

static unsigned count_decimals(const char *digits)
{
    const char *point = strchr(digits, '.');
    return point ? (unsigned)strlen(point + 1) : 0;
}

static int64_t parse_set(const char *printed)
{
    int64_t set = 0;
    char *end;
    for (const char *at = printed; *at; at = end) {
        unsigned long member = strtoul(at, &end, 10);
        if (end == at || member > 62)
            return -1;
        set |= INT64_C(1) << member;
    }
    return set;
}

/* Whether the printed digits are the measured ones cut off, and not rounded. */
static bool is_cut_off(double printed, double scaled)
{
    return printed == floor(scaled + 1e-3) && printed != floor(scaled + 0.5 + 1e-3);
}

/* Whether a measured number agrees with the printed one. A thousandth of the last digit is allowed
   for rounding in the arithmetic; "30+" means at least 30 and "50-" at most 50. */
static bool agrees(const struct figure *figure, int64_t measured)
{
    char *end;
    if (strcmp(figure->unit.text, FIGURES_SET) == 0)
        return parse_set(figure->printed.text) == measured;
    double digits = pow(10, count_decimals(find_digits(figure)));
    double scaled = (double)measured / published_unit(figure->unit.text) * digits;
    double printed = round(strtod(find_digits(figure), &end) * digits);
    if (*end == '+')
        return scaled >= printed;
    if (*end == '-')
        return scaled <= printed;
    return printed == floor(scaled + 0.5 + 1e-3) || is_cut_off(printed, scaled);
}

struct cell figures_cell(const struct figure *figure, int64_t measured)
{
    bool is_set = strcmp(figure->unit.text, FIGURES_SET) == 0;
    char text[sizeof((struct cell *)0)->words] = ""; /* such as "1 3 4 5" */
    for (int member = 0; member < 63 && is_set; member++)
        if (measured >> member & 1) {
            size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, "%s%d", length ? " " : "", member);
        }
    if (is_set)
        return cell_words("%s", text);
    double value = (double)measured / published_unit(figure->unit.text);
    unsigned decimals = count_decimals(find_digits(figure));
    if (value > 0 && value * pow(10, decimals) < 1)
        decimals = decimals < 3 ? 3 : decimals;
    while (value > 0 && value * pow(10, decimals) < 1)
        decimals++;
    double digits = pow(10, decimals);
    decimals += is_cut_off(round(strtod(find_digits(figure), NULL) * digits), value * digits);
    return cell_real(value, decimals);
}

/* What each verdict is called, the kind of figure in a source that it may be given to, and what it
   means. */
static const struct {
    const char *name, *kind, *meaning;
} verdicts[FIGURE_OUTCOMES] = {
    [FIGURE_AGREES] =
        {"agrees", "",
         "measured here on something that owes nothing to the figure, and equal to it in "
         "all printed digits, rounded or cut off"},
    [FIGURE_MET] = {"met by a reconstruction", "met",
                    "measured here on an instance that was made to give this figure"},
    [FIGURE_ARITHMETIC] = {"agrees by the source's own arithmetic", "arithmetic",
                           "follows from other figures that the source prints"},
    [FIGURE_SLIP] = {"slip in the source", "slip",
                     "cannot be right by what the source itself says"},
    [FIGURE_DIFFERS] = {"differs", "", "another number is measured here, for the reason given"},
    [FIGURE_NOT_COMPARABLE] =
        {"not comparable", "not comparable",
         "of another machine or of another quantity than can be measured here"},
    [FIGURE_NOT_GIVEN] = {"not given", "not given",
                          "the source does not give what would have to be measured"},
    [FIGURE_UNEXPLAINED] = {"unexplained", NULL, ""},
    [FIGURE_NOT_MEASURED] = {"not measured", NULL, ""},
};

const char *figures_verdict_name(enum figure_verdict verdict)
{
    return verdicts[verdict].name;
}

const char *figures_verdict_meaning(enum figure_verdict verdict)
{
    return verdicts[verdict].meaning;
}

enum figure_verdict figures_judge(const struct figure *figure, const struct measure_set *set,
                                  int64_t *measured)
{
    enum figure_verdict verdict = 0; /* the first one for that kind */
    while (verdict < FIGURE_VERDICTS && strcmp(verdicts[verdict].kind, figure->kind.text) != 0)
        verdict++;
    bool explained = *figure->reason.text;
    bool is_printed = strcmp(figure->instance.text, FIGURES_PRINTED) == 0;
    const struct arithmetic arithmetic = {figure->source, figure->place.text, figure->unit.text,
                                          figure->variant.text, figure->measure.text};
    bool found = is_printed ? arithmetic_compute(&arithmetic, measured)
                            : measures_find(set, figure->instance.text, figure->variant.text,
                                            figure->measure.text, measured);
    if (*figure->measure.text && !found)
        return FIGURE_NOT_MEASURED;
    bool equal = found && agrees(figure, *measured);
    switch (verdict) {
    case FIGURE_AGREES:
        return equal ? FIGURE_AGREES : found && explained ? FIGURE_DIFFERS : FIGURE_UNEXPLAINED;
    case FIGURE_MET:
        return equal && !is_printed ? verdict : FIGURE_UNEXPLAINED;
    case FIGURE_ARITHMETIC:
        return equal ? verdict : FIGURE_UNEXPLAINED;
    case FIGURE_SLIP:
        return explained && found && !equal ? verdict : FIGURE_UNEXPLAINED;
    default:
        return explained ? verdict : FIGURE_UNEXPLAINED;
    }
}

void figures_count(const char *source, const struct measure_set *set, unsigned *count)
{
    struct figure figure;
    int64_t measured;
    memset(count, 0, FIGURE_OUTCOMES * sizeof *count);
    for (unsigned row = 0; figures_next(source, &row, &figure);)
        count[figures_judge(&figure, set, &measured)]++;
}
