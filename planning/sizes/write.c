/* Expressions and points as texts. */

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "planning/sizes/sizes.h"

/* How tightly a part of an expression holds together. A part is in brackets where what stands
   around it holds tighter. */
enum strength { SUM, PRODUCT, FACTOR };

static const struct {
    const char *text;              /* between two parts, or the name of a function */
    enum strength strength, right; /* of the whole; of the least right part without brackets */
} forms[] = {
    [SIZES_NUMBER] = {"", FACTOR, SUM},        [SIZES_PARAMETER] = {"", FACTOR, SUM},
    [SIZES_ADD] = {" + ", SUM, PRODUCT},       [SIZES_SUBTRACT] = {" - ", SUM, PRODUCT},
    [SIZES_MULTIPLY] = {"*", PRODUCT, FACTOR}, [SIZES_MAX] = {"max", FACTOR, SUM},
    [SIZES_CEIL] = {"ceil", FACTOR, SUM},      [SIZES_FLOOR] = {"floor", FACTOR, SUM},
    [SIZES_ALIGN] = {"align", FACTOR, SUM},
};

/* Finds the first step of the part that ends with step `last`. */
static size_t find_begin(const struct symbolic_sizes *sizes, size_t last)
{
    size_t missing = 1, s = last + 1;
    while (missing) {
        assert(s > 0 && missing <= SIZES_MOST_DEPTH);
        enum size_step_kind kind = sizes->step[--s].kind;
        missing--;
        missing += kind >= SIZES_CEIL ? 1 : kind >= SIZES_ADD ? 2 : 0;
    }
    return s;
}

static void write_part(const struct symbolic_sizes *sizes, size_t last, enum strength least,
                       bool as_c, struct text *text)
{
    const struct size_step *step = &sizes->step[last];
    enum strength strength = forms[step->kind].strength;
    const char *form = forms[step->kind].text;
    bool is_call = step->kind >= SIZES_MAX;
    assert(step->kind <= SIZES_ALIGN);
    assert(last > 0 || step->kind <= SIZES_PARAMETER);
    text_append(text, "%s%s%s", strength < least ? "(" : "", is_call && as_c ? "memplan_" : "",
                is_call ? form : "");
    if (step->kind == SIZES_NUMBER) {
        text_append(text, as_c ? "UINT64_C(%" PRIu64 ")" : "%" PRIu64, step->number);
    } else if (step->kind == SIZES_PARAMETER) {
        text_append(text, "%s%s", names_get(&sizes->parameter, (uint32_t)step->number),
                    as_c ? "_value" : "");
    } else if (step->kind >= SIZES_CEIL) {
        bool divides = step->kind != SIZES_ALIGN && !as_c;
        text_append(text, "(");
        write_part(sizes, last - 1, divides ? PRODUCT : SUM, as_c, text);
        text_append(text, "%s%" PRIu64 ")", divides ? " / " : ", ", step->number);
    } else {
        size_t right = find_begin(sizes, last - 1);
        assert(right > 0);
        text_append(text, is_call ? "(" : "");
        write_part(sizes, right - 1, is_call ? SUM : strength, as_c, text);
        text_append(text, "%s", is_call ? ", " : form);
        write_part(sizes, last - 1, forms[step->kind].right, as_c, text);
        text_append(text, is_call ? ")" : "");
    }
    text_append(text, strength < least ? ")" : "");
}

void sizes_write(const struct symbolic_sizes *sizes, uint32_t index, bool as_c, struct text *text)
{
    assert(index < sizes->count && sizes->first[index] < sizes->first[index + 1]);
    write_part(sizes, sizes->first[index + 1] - 1, SUM, as_c, text);
}

enum status sizes_read_point(const struct symbolic_sizes *sizes, const char *text, uint64_t *point,
                             struct error *error)
{
    uint32_t given = 0;
    for (const char *item = text; *item;) {
        size_t length = strcspn(item, ","), name = strcspn(item, "=,");
        uint32_t p = 0;
        while (p < sizes->parameter.count &&
               (strlen(names_get(&sizes->parameter, p)) != name ||
                memcmp(names_get(&sizes->parameter, p), item, name) != 0))
            p++;
        if (p == sizes->parameter.count || name == length)
            return error_set(error, STATUS_USAGE,
                             "found '%.*s' in point '%s', expected PARAMETER=VALUE, such as '%s=1'",
                             (int)length, item, text, names_get(&sizes->parameter, 0));
        if (text_repeats_name(text, item, ',') ||
            !text_parse_u64(item + name + 1, length - name - 1, &point[p]) || point[p] > INT64_MAX)
            return error_set(error, STATUS_USAGE,
                             "found '%.*s' in point '%s', expected a whole number for each "
                             "parameter once",
                             (int)length, item, text);
        assert(given < sizes->parameter.count);
        given++;
        item += length + (item[length] == ',');
    }
    if (given < sizes->parameter.count)
        return error_set(error, STATUS_USAGE, "found %u values in point '%s', expected %u", given,
                         text, sizes->parameter.count);
    return STATUS_OK;
}

void sizes_write_point(const struct symbolic_sizes *sizes, const uint64_t *point, struct text *text)
{
    for (uint32_t p = 0; p < sizes->parameter.count; p++)
        text_append(text, "%s%s=%" PRIu64, p ? "," : "", names_get(&sizes->parameter, p), point[p]);
}
