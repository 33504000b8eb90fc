#include "core/known_names.h"

#include <string.h>

enum { MOST_SUGGESTED = 6, FEW = 20, LEAST_PART = 3, MOST_ERRORS = 3, FAR = 100 };

/* How many letters of a name may be wrong: a third of them, at least one and at most
   MOST_ERRORS. */
static size_t allow_errors(const char *name)
{
    size_t allowed = strlen(name) / 3;
    if (allowed < 1)
        return 1;
    return allowed < MOST_ERRORS ? allowed : MOST_ERRORS;
}

static size_t measure_errors(const char *wanted, const char *name)
{
    if (strlen(name) >= TEXT_MOST_COMPARED)
        return FAR;
    size_t errors = text_distance(wanted, name);
    return errors <= allow_errors(name) && errors < strlen(wanted) ? errors : FAR;
}

/* How far the wanted name is from a name: the typing errors between it and the whole name or, if it
   has no folder, what follows the name's folder. One more than any such number where it is a part
   of the name, FAR where it is not near. */
static size_t measure_distance(const char *wanted, const char *name)
{
    const char *base = strchr(wanted, '/') ? NULL : strrchr(name, '/');
    size_t whole = measure_errors(wanted, name);
    size_t part = base && base[1] ? measure_errors(wanted, base + 1) : FAR;
    if (whole < FAR || part < FAR)
        return whole < part ? whole : part;
    return strlen(wanted) >= LEAST_PART && strstr(name, wanted) ? MOST_ERRORS + 1 : FAR;
}

static void append_name(const struct known_names *known, uint32_t index, const char *name,
                        struct text *text)
{
    text_append(text, "%s%s%s", index ? ", " : "", known->before ? known->before : "", name);
}

/* Whether one of the rows has the name. */
static bool is_named(const struct known_names *known, const uint32_t *row, uint32_t rows,
                     const char *name)
{
    for (uint32_t i = 0; i < rows; i++)
        if (strcmp(known->name_at(known->context, row[i]), name) == 0)
            return true;
    return false;
}

/* Appends the names at this distance, the first few of them. */
static void append_near(const struct known_names *known, const char *wanted, size_t distance,
                        struct text *text)
{
    uint32_t named[MOST_SUGGESTED], count = 0;
    for (uint32_t i = 0; i < known->count && count < MOST_SUGGESTED; i++) {
        const char *name = known->name_at(known->context, i);
        if (measure_distance(wanted, name) != distance || is_named(known, named, count, name))
            continue;
        append_name(known, count, name, text);
        named[count++] = i;
    }
}

void known_names_suggest(const struct known_names *known, const char *name, size_t length,
                         struct text *text)
{
    char wanted[TEXT_MOST_COMPARED];
    size_t nearest = FAR;
    if (length >= sizeof wanted)
        return;
    memcpy(wanted, name, length);
    wanted[length] = '\0';
    for (uint32_t i = 0; i < known->count; i++) {
        size_t distance = measure_distance(wanted, known->name_at(known->context, i));
        if (distance < nearest)
            nearest = distance;
    }
    if (nearest < FAR)
        append_near(known, wanted, nearest, text);
}

static void append_expected(const struct known_names *known, struct text *text)
{
    if (known->lister && (known->count > FEW || !known->count)) {
        text_append(text, "%s names them", known->lister);
        return;
    }
    text_append(text, "expected one of: ");
    for (uint32_t i = 0; i < known->count; i++)
        append_name(known, i, known->name_at(known->context, i), text);
    text_append(text, "%s", known->also ? known->also : "");
}

enum status known_names_refuse(const struct known_names *known, const char *name, size_t length,
                               struct error *error)
{
    struct text near = {0}, text = {0};
    known_names_suggest(known, name, length, &near);
    if (near.length)
        text_append(&text, "did you mean %s?", near.bytes);
    else
        append_expected(known, &text);
    error_set(error, STATUS_USAGE, "no %s '%s%.*s', %s", known->kind,
              known->before ? known->before : "", (int)length, name,
              text.failed || near.failed ? "" : text.bytes);
    text_free(&near);
    text_free(&text);
    return STATUS_USAGE;
}
