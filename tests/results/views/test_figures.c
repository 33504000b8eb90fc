#include "results/views/figures.h"

#include <stdio.h>
#include <string.h>

#include "core/embedded.h"
#include "results/views/arithmetic.h"
#include "support/testing.h"

extern const struct embedded_file published_files[];
extern const unsigned published_files_count;

static const struct figure made_up = {
    .printed = {"3.35"},
    .unit = {"MB"},
    .instance = {"i"},
    .variant = {"v"},
    .measure = {"bytes"},
    .reason = {""},
};

/* A figure agrees to the digits that are printed, or where it is at least as much as "30+"; sets
   are printed in any order. */
static void figures_are_judged(void)
{
    static const struct {
        const char *printed, *unit;
        int64_t value;
        enum figure_verdict verdict;
    } rows[] = {
        {"3.35", "MB", 3350000, FIGURE_AGREES},
        {"3.35", "MB", 3345000, FIGURE_AGREES},
        {"3.35", "MB", 3359900, FIGURE_AGREES},
        {"3.35", "MB", 3344000, FIGURE_UNEXPLAINED},
        {"3.35", "MB", 3361792, FIGURE_UNEXPLAINED},
        {"150", "KB", 150528, FIGURE_AGREES},
        {"~14", "GB", 13600000000, FIGURE_AGREES},
        {"37.8", "%", 378049, FIGURE_AGREES},
        {"46", "", 46, FIGURE_AGREES},
        {"46", "", 47, FIGURE_UNEXPLAINED},
        {"0", "", 0, FIGURE_AGREES},
        {"30+", "%", 335000, FIGURE_AGREES},
        {"30+", "%", 300000, FIGURE_AGREES},
        {"30+", "%", 299000, FIGURE_UNEXPLAINED},
        {"50-", "%", 476000, FIGURE_AGREES},
        {"50-", "%", 501000, FIGURE_UNEXPLAINED},
        {"1 3 4 5", FIGURES_SET, 0x3a, FIGURE_AGREES},
        {"7 5", FIGURES_SET, 0xa0, FIGURE_AGREES},
        {"2", FIGURES_SET, 0x4, FIGURE_AGREES},
        {"2", FIGURES_SET, 0x6, FIGURE_UNEXPLAINED},
        {"2 x", FIGURES_SET, 0x4, FIGURE_UNEXPLAINED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct measure measure = {
            .instance = "i", .variant = "v", .name = "bytes", .value = rows[i].value};
        const struct measure_set set = {.count = 1, .measure = &measure};
        struct figure figure = made_up;
        int64_t measured = 0;
        strcpy(figure.printed.text, rows[i].printed);
        strcpy(figure.unit.text, rows[i].unit);
        CU_ASSERT_EQUAL(figures_judge(&figure, &set, &measured), rows[i].verdict);
        CU_ASSERT_EQUAL(measured, rows[i].value);
    }
}

/* What a figure of each kind is called where what was measured agrees with it, where it does not,
   and where there is nothing to measure, with a reason; without one most are not explained. */
static void kinds(void)
{
    static const struct {
        const char *kind;
        enum figure_verdict equal, other, none, without_reason;
    } rows[] = {
        {"", FIGURE_AGREES, FIGURE_DIFFERS, FIGURE_UNEXPLAINED, FIGURE_UNEXPLAINED},
        {"met", FIGURE_MET, FIGURE_UNEXPLAINED, FIGURE_UNEXPLAINED, FIGURE_UNEXPLAINED},
        {"slip", FIGURE_UNEXPLAINED, FIGURE_SLIP, FIGURE_UNEXPLAINED, FIGURE_UNEXPLAINED},
        {"not comparable", FIGURE_NOT_COMPARABLE, FIGURE_NOT_COMPARABLE, FIGURE_NOT_COMPARABLE,
         FIGURE_UNEXPLAINED},
        {"not given", FIGURE_NOT_GIVEN, FIGURE_NOT_GIVEN, FIGURE_NOT_GIVEN, FIGURE_UNEXPLAINED},
        {"arithmetic", FIGURE_ARITHMETIC, FIGURE_UNEXPLAINED, FIGURE_UNEXPLAINED,
         FIGURE_UNEXPLAINED},
        {"nothing", FIGURE_UNEXPLAINED, FIGURE_UNEXPLAINED, FIGURE_UNEXPLAINED, FIGURE_UNEXPLAINED},
    };
    struct measure measure = {.instance = "i", .variant = "v", .name = "bytes"};
    const struct measure_set none = {0}, set = {.count = 1, .measure = &measure};
    int64_t measured;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct figure figure = made_up;
        strcpy(figure.kind.text, rows[i].kind);
        measure.value = 1;
        CU_ASSERT_EQUAL(figures_judge(&figure, &set, &measured), rows[i].without_reason);
        CU_ASSERT_EQUAL(figures_judge(&figure, &none, &measured), FIGURE_NOT_MEASURED);
        strcpy(figure.reason.text, "because");
        CU_ASSERT_EQUAL(figures_judge(&figure, &set, &measured), rows[i].other);
        measure.value = 3350000;
        CU_ASSERT_EQUAL(figures_judge(&figure, &set, &measured), rows[i].equal);
        strcpy(figure.measure.text, "");
        CU_ASSERT_EQUAL(figures_judge(&figure, &none, &measured), rows[i].none);
    }
}

/* Operations on figures that sources print; the numbers here are worked out by hand. */
static void own_arithmetic(void)
{
    static const struct {
        const char *source, *operation, *operands;
        int64_t value; /* -1 where nothing can be computed */
    } rows[] = {
        {"ge", "sum", "6.1 | Input & 6.1 | Conv out", 3350000},
        {"ge", "saving",
         "7 strategies | ResNet-50; nothing reused: peak memory & 7 strategies | ResNet-50; pools: "
         "peak memory",
         378049},
        {"ge", "overlap", "3.1 | T1: start & 3.1 | T1: end & 3.1 | T2: start & 3.1 | T2: end", 1},
        {"ge", "overlap", "3.1 | T1: start & 3.1 | T1: end & 3.1 | T3: start & 3.1 | T3: end", 0},
        {"ge", "least value", "7 models | : saving", 328000},
        {"ge", "value", "6.1 | Pool out", 800000},
        {"wang2025", "greatest value", "Table 3 | : saving", 289700},
        {"wang2025", "greatest saving", "Table 1 | : large_first & Table 2 | : large_first", 58824},
        {"xu2019", "ratio", "Table 6.3 | Resnet50: before & Table 6.3 | Resnet50: after", 1750000},
        {"xu2019", "gain", "Table 6.4 | GoogleNet: before & Table 6.4 | GoogleNet: after", 21152},
        {"xu2019", "mean", "Table 6.4 | Vgg16: gain & Table 6.4 | Vgg19: gain", 503600},
        {"xu2019", "median value", "Table 6.4 | : gain", 228800},
        {"xu2019", "mean change", "Table 6.4 | : top1 before & Table 6.4 | : top1 after", 4658},
        {"xu2019", "root", "Table 6.4 | Vgg16: gain", -1},
        {"xu2019", "sum", "Table 6.4 | Vgg16: nothing", -1},
        {"xu2019", "ratio", "Table 6.4 | Vgg16: gain", -1},
        {"xu2019", "least nothing", "Table 6.4 | : gain", -1},
        {"nothing", "sum", "Table 6.4 | Vgg16: gain", -1},
        {"ge", "sum", "a & b & c & d & e & f & g & h & i", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct arithmetic arithmetic = {rows[i].source, "", "%", rows[i].operation,
                                              rows[i].operands};
        int64_t value = -1;
        CU_ASSERT_EQUAL(arithmetic_compute(&arithmetic, &value), rows[i].value >= 0);
        CU_ASSERT_EQUAL(value, rows[i].value);
    }
}

static void scaled_as_printed(void)
{
    struct cell number = figures_cell(&made_up, 4014080);
    CU_ASSERT_DOUBLE_EQUAL(number.real, 4.01408, 1e-9);
    CU_ASSERT_EQUAL(number.decimals, 2);
    struct figure figure = made_up;
    strcpy(figure.printed.text, "637");
    strcpy(figure.unit.text, "ms");
    CU_ASSERT_EQUAL(figures_cell(&figure, 812345).decimals, 3);
    CU_ASSERT_EQUAL(figures_cell(&figure, 1812345).decimals, 0);
    CU_ASSERT_EQUAL(figures_cell(&figure, 123).decimals, 4);
    CU_ASSERT_EQUAL(figures_cell(&figure, 0).decimals, 0);
}

/* How many figures there are; none is hidden behind one that has no printed text. They are found by
   place and name, so no two may have the same. */
static unsigned check_source(const char *source)
{
    enum { MOST = 400 };
    static struct figure figures[MOST];
    struct published_value place;
    unsigned count = 0, row = 0;
    for (; count < MOST && figures_next(source, &row, &figures[count]); count++) {
        const struct figure *found = &figures[count];
        const char *printed = found->printed.text;
        CU_ASSERT(*found->place.text && *found->figure.text);
        CU_ASSERT(*found->measure.text || *found->reason.text);
        CU_ASSERT(!*found->measure.text || (*found->instance.text && *found->variant.text));
        CU_ASSERT(strspn(printed, "0123456789.~+- ") == strlen(printed));
        for (unsigned i = 0; i < count; i++)
            CU_ASSERT_FALSE(strcmp(figures[i].place.text, found->place.text) == 0 &&
                            strcmp(figures[i].figure.text, found->figure.text) == 0);
    }
    CU_ASSERT(count < MOST);
    CU_ASSERT_FALSE(published_cell(source, count, "place", &place));
    return count;
}

/* Each figure has a measure or says why there is none, and every printed text is a number. One
   source is ours and has nothing to be held against. */
static void sources_are_complete(void)
{
    unsigned checked = 0;
    for (unsigned i = 0; i < published_files_count; i++) {
        char source[64];
        snprintf(source, sizeof source, "%.*s", (int)strcspn(published_files[i].name, "."),
                 published_files[i].name);
        checked += check_source(source) > 2;
    }
    CU_ASSERT_EQUAL(checked, published_files_count - 1);
}

static void unknown_source(void)
{
    struct figure figure;
    unsigned row = 0, count[FIGURE_OUTCOMES];
    const struct measure_set none = {0};
    CU_ASSERT_FALSE(figures_next("nothing", &row, &figure));
    figures_count("nothing", &none, count);
    for (unsigned i = 0; i < FIGURE_OUTCOMES; i++)
        CU_ASSERT_EQUAL(count[i], 0);
    figures_count("ge", &none, count);
    CU_ASSERT_EQUAL(count[FIGURE_AGREES], 0);
    CU_ASSERT(count[FIGURE_NOT_MEASURED] > count[FIGURE_NOT_COMPARABLE]);
    CU_ASSERT(count[FIGURE_ARITHMETIC] > 0);
}

static const struct test_case cases[] = {
    {"figures are judged as they are printed", figures_are_judged},
    {"each kind of figure has its verdict", kinds},
    {"what follows from other printed figures", own_arithmetic},
    {"measures are shown as the figure is printed", scaled_as_printed},
    {"every figure has a measure or a reason", sources_are_complete},
    {"a source that is not there", unknown_source},
};

TESTING_MAIN("results/figures", cases)
