#include "core/known_names.h"

#include <string.h>

enum { MOST_SUGGESTED = 6, FEW = 20, LEAST_PART = 3, MOST_ERRORS = 3, FAR = 100 };

/* The typing errors between the two, FAR where there are too many: a third of the name's letters
   may be wrong, at least one and at most MOST_ERRORS. */
static size_t measure_errors(const char *wanted, const char *name)
{
    size_t allowed = strlen(name) / 3;
    allowed = allowed < 1 ? 1 : allowed > MOST_ERRORS ? MOST_ERRORS : allowed;
    if (strlen(name) >= TEXT_MOST_COMPARED)
        return FAR;
    size_t errors = text_distance(wanted, name);
    return errors <= allowed && errors < strlen(wanted) ? errors : FAR;
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

void known_names_suggest(const struct known_names *known, const char *name, size_t length,
                         struct text *text)
{
    char wanted[TEXT_MOST_COMPARED];
    const char *named[MOST_SUGGESTED];
    uint32_t count = 0;
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
    /* The first few names at that distance, each once. */
    for (uint32_t i = 0; i < known->count && nearest < FAR && count < MOST_SUGGESTED; i++) {
        const char *near = known->name_at(known->context, i);
        uint32_t before = 0;
        while (before < count && strcmp(named[before], near) != 0)
            before++;
        if (before < count || measure_distance(wanted, near) != nearest)
            continue;
        append_name(known, count, near, text);
        named[count++] = near;
    }
}

enum status known_names_refuse(const struct known_names *known, const char *name, size_t length,
                               struct error *error)
{
    SCOPED(text_free) struct text near = {0};
    SCOPED(text_free) struct text text = {0};
    known_names_suggest(known, name, length, &near);
    if (near.length) {
        text_append(&text, "did you mean %s?", near.bytes);
    } else if (known->lister && (known->count > FEW || !known->count)) {
        text_append(&text, "%s names them", known->lister);
    } else {
        text_append(&text, "expected one of: ");
        for (uint32_t i = 0; i < known->count; i++)
            append_name(known, i, known->name_at(known->context, i), &text);
        text_append(&text, "%s", known->also ? known->also : "");
    }
    return error_set(error, STATUS_USAGE, "no %s '%s%.*s', %s", known->kind,
                     known->before ? known->before : "", (int)length, name,
                     text.failed || near.failed ? "" : text.bytes);
}
