#include "results/table/wrap.h"

#include <stdbool.h>
#include <string.h>

#include "results/table/escape.h"

enum { FURTHER = 2 /* indent of the further lines of a text that begins near the left border */ };

static bool may_break_after(char letter)
{
    return letter == ' ' || strchr("_/,?&", letter) != NULL;
}

size_t wrap_find_break(const char *text, size_t width)
{
    size_t used = 0, words = 0, broken = 0;
    char character[5];
    const char *at = text;
    for (size_t count = 0; count < width && *at; count++) {
        escape_next(&at, character);
        used = (size_t)(at - text);
        if (text[used - 1] == ' ')
            words = used;
        if (may_break_after(text[used - 1]))
            broken = used;
    }
    if (!*at || *at == ' ')
        return used;
    return words ? words : broken ? broken : used;
}

size_t wrap_longest_piece(const char *text)
{
    size_t longest = 0, length = 0;
    char character[5];
    while (escape_next(&text, character)) {
        length += *character != ' ';
        longest = length > longest ? length : longest;
        if (may_break_after(*character))
            length = 0;
    }
    return longest;
}

/* How a text is broken: the other lines begin with `indent` blanks, and all but the last end in
   `broken`. */
struct form {
    size_t indent, width;
    const char *broken;
};

static void append_formed(struct text *text, const char *before, const char *raw,
                          const struct form *form)
{
    struct text plain = {0};
    text_append_bytes(&plain, "", 0);
    escape_plain(&plain, raw);
    text->failed |= plain.failed;
    const char *rest = plain.failed ? "" : plain.bytes;
    size_t used = escape_width(before), ending = strlen(form->broken);
    for (bool first = true; *rest || first; first = false, used = form->indent) {
        size_t length = wrap_find_break(rest, form->width - used), start = text->length;
        if (rest[length])
            length = wrap_find_break(rest, form->width - used - ending);
        text_append(text, "%*s", first ? 0 : (int)form->indent, first ? before : "");
        text_append_bytes(text, rest, length);
        rest += length;
        rest += strspn(rest, " ");
        while (text->length > start && !text->failed && text->bytes[text->length - 1] == ' ')
            text->length--;
        text_append(text, "%s\n", *rest ? form->broken : "");
    }
    text_free(&plain);
}

void wrap_append(struct text *text, const char *before, const char *raw, size_t width)
{
    append_formed(text, before, raw, &(struct form){strlen(before), width, ""});
}

void wrap_append_command(struct text *text, const char *before, const char *raw, size_t width)
{
    append_formed(text, before, raw, &(struct form){strlen(before), width, " \\"});
}

/* Where the last column of a line begins; the end of its indent where it has no columns. */
static size_t find_last_column(const char *line)
{
    size_t indent = strspn(line, " ");
    const char *between = strstr(line + indent, "  ");
    return between ? (size_t)(between - line) + strspn(between, " ") : indent;
}

void wrap_append_row(struct text *text, const char *line, size_t length, size_t width)
{
    SCOPED(text_free) struct text whole = {0}, before = {0};
    text_append_bytes(&whole, line, length);
    text->failed |= whole.failed;
    if (whole.failed)
        return;
    size_t indent = strspn(whole.bytes, " "), column = find_last_column(whole.bytes);
    size_t further = indent + FURTHER < width / 2 ? indent + FURTHER : FURTHER;
    const char *last = whole.bytes + column;
    bool fits = column > indent && column < width && wrap_longest_piece(last) <= width - column;
    text_append_bytes(&before, whole.bytes, fits ? column : 0);
    text->failed |= before.failed;
    if (!before.failed)
        append_formed(text, before.bytes, fits ? last : whole.bytes,
                      &(struct form){fits ? column : further, width, ""});
}
