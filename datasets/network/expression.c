#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/network/script.h"

/* What stands in braces: the value of a variable, or numbers, variables and the heights of tensors
   joined by + - * / << > and =. */

static const char *find_variable(const struct script_frame *frame, const char *name, size_t length)
{
    for (uint32_t i = frame->variables; i-- > 0;)
        if (strlen(frame->variable[i].name) == length &&
            memcmp(frame->variable[i].name, name, length) == 0)
            return frame->variable[i].value;
    return NULL;
}

static int64_t read_operand(struct script *script, const char **at)
{
    size_t length = 0;
    while (isalnum((unsigned char)(*at)[length]) || (*at)[length] == '_')
        length++;
    const char *value = find_variable(script->frame, *at, length);
    int64_t number = strtoll(value ? value : *at, NULL, 10);
    if (strncmp(*at + length, ".height", 7) == 0) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, *at);
        uint32_t tensor = script_find_tensor(script, name);
        number = script->network->status ? 0 : (int64_t)network_shape(script->network, tensor)[1];
        length += 7;
    } else if (!value && !isdigit((unsigned char)**at)) {
        script_fail(script, "no variable", *at);
    }
    *at += length;
    return number;
}

static int64_t read_product(struct script *script, const char **at)
{
    int64_t product = read_operand(script, at);
    while (**at == '*' || **at == '/' || **at == '<') {
        char joined_by = **at;
        *at += joined_by == '<' ? 2 : 1;
        int64_t factor = read_operand(script, at);
        if (joined_by == '*')
            product *= factor;
        else if (joined_by == '/')
            product /= factor ? factor : 1;
        else
            product <<= factor;
    }
    return product;
}

static int64_t evaluate(struct script *script, const char *at)
{
    int64_t value = read_product(script, &at);
    while (*at && strchr("+-=>", *at)) {
        char joined_by = *at++;
        int64_t other = read_product(script, &at);
        if (joined_by == '>')
            value = value > other;
        else if (joined_by == '=')
            value = value == other;
        else
            value += joined_by == '+' ? other : -other;
    }
    if (*at != '}')
        script_fail(script, "not understood:", at);
    return value;
}

void script_expand(struct script *script, const char *line, char expanded[SCRIPT_MOST_LINE_BYTES])
{
    size_t used = 0;
    while (*line && used + 24 < SCRIPT_MOST_LINE_BYTES) {
        const char *brace = strchr(line, '{');
        size_t room = SCRIPT_MOST_LINE_BYTES - used;
        size_t plain = brace ? (size_t)(brace - line) : strlen(line);
        if (plain) {
            plain = plain < room - 24 ? plain : room - 24;
            memcpy(expanded + used, line, plain);
            used += plain;
            line += plain;
            continue;
        }
        size_t length = strcspn(++line, "}");
        const char *value = find_variable(script->frame, line, length);
        size_t written = value ? strlen(value) : 0;
        if (!value)
            written = (size_t)snprintf(expanded + used, room, "%" PRId64, evaluate(script, line));
        else if (written < room)
            memcpy(expanded + used, value, written);
        used += written;
        line += length + (line[length] == '}');
    }
    if (*line)
        script_fail(script, "a line is too long:", line);
    expanded[used < SCRIPT_MOST_LINE_BYTES ? used : SCRIPT_MOST_LINE_BYTES - 1] = '\0';
}
