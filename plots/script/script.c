#include "plots/script/script.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/embedded.h"
#include "results/table/escape.h"

extern const struct embedded_file plot_templates[];
extern const unsigned plot_templates_count;

void script_begin(struct text *script, const struct script_head *head)
{
    text_append(script,
                "# Draw by hand: gnuplot %s.gp > %s.svg\n"
                "#           or: gnuplot -e \"format='pdf'\" %s.gp > %s.pdf  (or png)\n"
                "width = %u\nheight = %u\n",
                head->name, head->name, head->name, head->name, head->width, head->height);
    script_set_text(script, "title", head->title);
    script_set_text(script, "subtitle", head->subtitle);
    script_add_template(script, "common");
}

/* gnuplot takes '' for a quote inside single quotes, but not at their start:
   so another apostrophe. */
void script_set_text(struct text *script, const char *name, const char *value)
{
    char character[5];
    text_append(script, "%s = '", name);
    while (escape_next(&value, character))
        text_append(script, "%s", *character == '\'' ? "\xe2\x80\x99" : character);
    text_append(script, "'\n");
}

/* gnuplot has no way to write a double quote inside a field, and reads a backslash as an escape. */
void script_add_field(struct text *script, const char *value)
{
    char character[5];
    text_append(script, "\"");
    while (escape_next(&value, character)) {
        bool quote = *character == '"', backslash = *character == '\\';
        text_append(script, "%s", quote ? "'" : backslash ? "/" : character);
    }
    text_append(script, "\"");
}

void script_begin_array(struct text *script, const char *name, uint32_t count)
{
    text_append(script, "array %s[%u]\n", name, count);
}

void script_set_element(struct text *script, const char *name, uint32_t index, const char *value)
{
    char element[64];
    snprintf(element, sizeof element, "%s[%u]", name, index + 1);
    script_set_text(script, element, value);
}

void script_begin_data(struct text *script, const char *name)
{
    text_append(script, "$%s << EOD\n", name);
}

void script_end_data(struct text *script)
{
    text_append(script, "EOD\n");
}

void script_add_lines(struct text *script, const struct text *lines)
{
    if (lines->failed)
        script->failed = true;
    else if (lines->length)
        text_append_bytes(script, lines->bytes, lines->length);
}

void script_add_real(struct text *script, bool known, double number, char behind)
{
    if (known)
        text_append(script, "%.9g%c", number, behind);
    else
        text_append(script, "NaN%c", behind);
}

void script_add_name(struct text *script, uint32_t index, const char *name)
{
    text_append(script, "%u ", index);
    script_add_field(script, name);
    text_append(script, "\n");
}

void script_add_data(struct text *script, const char *name, const struct text *lines)
{
    script_begin_data(script, name);
    script_add_lines(script, lines);
    script_end_data(script);
}

void script_copy_data(const struct text *script, struct text *data)
{
    static const char ending[] = " << EOD";
    const size_t length = sizeof ending - 1;
    struct text_line line = {0};
    bool inside = false;
    while (text_next_line(script, &line)) {
        bool begins = line.length > length && *line.start == '$' &&
                      strncmp(line.start + line.length - length, ending, length) == 0;
        if (!inside && begins) {
            inside = true;
            text_append(data, "%s# %.*s\n", data->length ? "\n\n" : "",
                        (int)(strcspn(line.start, " ") - 1), line.start + 1);
        } else if (inside && line.length == 3 && strncmp(line.start, "EOD", 3) == 0) {
            inside = false;
        } else if (inside) {
            text_append_bytes(data, line.start, line.length);
            text_append_bytes(data, "\n", 1);
        }
    }
}

void script_add_template(struct text *script, const char *name)
{
    const struct embedded_file *file =
        embedded_find(plot_templates, plot_templates_count, "templates/", name, ".gp");
    assert(file);
    text_append_bytes(script, file->bytes, file->length);
}

const char *script_unit(uint64_t most_bytes, uint64_t *factor)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    static const uint64_t million = 1000000; /* sizes that a person gave are in millions */
    unsigned unit = 0;
    *factor = 1;
    if (most_bytes >= million && most_bytes % million == 0) {
        *factor = million;
        return "MB";
    }
    while (unit < 3 && most_bytes / *factor >= 8192) {
        *factor *= 1024;
        unit++;
    }
    return units[unit];
}

void script_add_grouped(struct text *text, uint64_t number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < length; i++)
        text_append(text, "%s%c", i && (length - i) % 3 == 0 ? " " : "", digits[i]);
}
