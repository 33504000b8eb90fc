#include "results/store/options.h"

#include <string.h>

void options_add(struct text *options, const char *name, const char *value)
{
    text_append(options, "%s%s=%s", options->length ? " " : "", name, value);
}

/* The length of the name of an option at the beginning of the text; 0 where no option begins
   there. */
static size_t measure_name(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    return text[length] == '=' ? length : 0;
}

/* The end of an option's value. A value may contain blanks, so it ends where the next option
   begins. */
static const char *find_end(const char *value)
{
    while (*value && !(*value == ' ' && measure_name(value + 1)))
        value++;
    return value;
}

bool options_find(const char *options, const char *name, const char **value, size_t *length)
{
    while (*options) {
        size_t name_length = measure_name(options);
        *value = options + name_length + (name_length > 0);
        const char *end = find_end(*value);
        *length = (size_t)(end - *value);
        if (name_length == strlen(name) && strncmp(options, name, name_length) == 0)
            return true;
        options = end + (*end == ' ');
    }
    return false;
}

void options_add_of_problem(struct text *text, const char *options)
{
    static const char capacity[] = OPTIONS_CAPACITY "=";
    for (const char *separator = ""; *options;) {
        size_t name_length = measure_name(options);
        const char *end = find_end(options + name_length + (name_length > 0));
        if (strncmp(options, capacity, sizeof capacity - 1) != 0) {
            text_append(text, "%s", separator);
            text_append_bytes(text, options, (size_t)(end - options));
            separator = " ";
        }
        options = end + (*end == ' ');
    }
}
