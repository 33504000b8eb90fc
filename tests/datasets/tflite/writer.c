#include "datasets/tflite/writer.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 16, CODES = 210 };

static void add_number(struct text *text, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        char byte = (char)(number >> 8 * i & 0xff);
        text_append_bytes(text, &byte, 1);
    }
}

static unsigned get_width(char kind)
{
    return kind == 'o' ? 4 : kind == '.' ? 0 : (unsigned)(kind - '0');
}

size_t writer_add_table(struct text *text, const struct writer_table *table)
{
    unsigned fields = (unsigned)strlen(table->fields), bytes = 4;
    size_t vtable = text->length;
    for (unsigned i = 0; i < fields; i++)
        bytes += get_width(table->fields[i]);
    add_number(text, 4 + 2 * fields, 2);
    add_number(text, bytes, 2);
    for (unsigned i = 0, at = 4; i < fields; at += get_width(table->fields[i++]))
        add_number(text, table->fields[i] == '.' ? 0 : at, 2);
    size_t place = text->length;
    add_number(text, place - vtable, 4);
    for (unsigned i = 0; i < fields; i++)
        add_number(text, table->value[i], get_width(table->fields[i]));
    return place;
}

static unsigned get_u16(const struct text *text, size_t at)
{
    return (unsigned char)text->bytes[at] | (unsigned)(unsigned char)text->bytes[at + 1] << 8;
}

size_t writer_field(const struct text *text, size_t table, unsigned number)
{
    size_t distance = get_u16(text, table) | (size_t)get_u16(text, table + 2) << 16;
    return table + get_u16(text, table - distance + 4 + 2 * number);
}

static void point_to(struct text *text, size_t from, size_t target)
{
    for (unsigned i = 0; i < 4; i++)
        text->bytes[from + i] = (char)((target - from) >> 8 * i & 0xff);
}

void writer_point(struct text *text, size_t from)
{
    point_to(text, from, text->length);
}

size_t writer_add_vector(struct text *text, const int *values, unsigned count)
{
    add_number(text, count, 4);
    size_t place = text->length;
    for (unsigned i = 0; i < count; i++)
        add_number(text, values ? (uint32_t)values[i] : 0, 4);
    return place;
}

void writer_add_string(struct text *text, const char *string)
{
    add_number(text, strlen(string), 4);
    text_append_bytes(text, string, strlen(string) + 1);
}

/* The part of a description up to the next bar, as numbers; moves behind the bar. */
static unsigned read_numbers(const char **at, int numbers[MOST_NUMBERS])
{
    unsigned count = 0;
    while (**at && **at != '|') {
        char *end;
        long number = strtol(*at, &end, 10);
        if (end == *at)
            break;
        numbers[count++] = (int)number;
        *at = end;
    }
    *at += **at == '|';
    return count;
}

static void add_numbers(struct text *text, size_t field, const char **at)
{
    int numbers[MOST_NUMBERS];
    unsigned count = read_numbers(at, numbers);
    writer_point(text, field);
    writer_add_vector(text, numbers, count);
}

static int read_number(const char **at)
{
    int numbers[MOST_NUMBERS] = {0};
    read_numbers(at, numbers);
    return numbers[0];
}

static void add_tensor(struct text *text, const char *description)
{
    char name[64] = "";
    const char *bar = strchr(description, '|'), *shape = bar + 1;
    const char *at = strchr(shape, '|') + 1;
    int type = read_number(&at);
    struct writer_table table = {"o14o.1.o", {0, (uint64_t)type, *at == 'c', 0, 0, *at == 'v'}};
    int numbers[MOST_NUMBERS];
    memcpy(name, description, (size_t)(bar - description));
    size_t place = writer_add_table(text, &table);
    unsigned count = read_numbers(&shape, numbers);
    writer_point(text, writer_field(text, place, 0));
    size_t dimensions = writer_add_vector(text, numbers, count);
    writer_point(text, writer_field(text, place, 7));
    writer_add_vector(text, numbers, count);
    for (unsigned i = 0; i < count; i++)
        if (numbers[i] == WRITER_DYNAMIC) {
            memset(text->bytes + dimensions + 4 * (size_t)i, 0, 4);
            text->bytes[dimensions + 4 * (size_t)i] = 1;
            memset(text->bytes + text->length - 4 * (size_t)(count - i), 0xff, 4);
        }
    writer_point(text, writer_field(text, place, 3));
    writer_add_string(text, name);
}

/* Options are a table of numbers, with as many fields as there are. */
static void add_options(struct text *text, size_t field, const char *at)
{
    int numbers[MOST_NUMBERS];
    struct writer_table table = {"44444", {0}};
    unsigned count = read_numbers(&at, numbers);
    for (unsigned i = 0; i < count; i++)
        table.value[i] = (uint32_t)numbers[i];
    point_to(text, field, writer_add_table(text, &table));
}

static void add_operator(struct text *text, const char *at)
{
    struct writer_table table = {"4oo1o", {(uint64_t)read_number(&at)}};
    size_t place = writer_add_table(text, &table);
    add_numbers(text, writer_field(text, place, 1), &at);
    add_numbers(text, writer_field(text, place, 2), &at);
    text->bytes[writer_field(text, place, 3)] = (char)read_number(&at);
    add_options(text, writer_field(text, place, 4), at);
}

static size_t find_table(size_t start, unsigned fields)
{
    return start + 4 + 2 * (size_t)fields;
}

static void add_pieces(struct text *text, size_t field, const char *const *pieces, unsigned most,
                       unsigned fields, void (*add)(struct text *text, const char *piece))
{
    unsigned count = 0;
    while (count < most && pieces[count])
        count++;
    writer_point(text, field);
    size_t first = writer_add_vector(text, NULL, count);
    for (unsigned i = 0; i < count; i++) {
        point_to(text, first + 4 * i, find_table(text->length, fields));
        add(text, pieces[i]);
    }
}

static void add_subgraph(struct text *text, const struct writer_subgraph *subgraph)
{
    const struct writer_table table = {"oooo", {0}};
    const char *inputs = subgraph->inputs, *outputs = subgraph->outputs;
    size_t place = writer_add_table(text, &table);
    add_numbers(text, writer_field(text, place, 1), &inputs);
    add_numbers(text, writer_field(text, place, 2), &outputs);
    add_pieces(text, writer_field(text, place, 0), subgraph->tensors, 16, 8, add_tensor);
    add_pieces(text, writer_field(text, place, 3), subgraph->operators, 8, 5, add_operator);
}

/* Every code there is, so that an operator's index is its code. */
static void add_codes(struct text *text, size_t field)
{
    writer_point(text, field);
    size_t first = writer_add_vector(text, NULL, CODES + 1);
    for (unsigned i = 0; i <= CODES; i++) {
        const struct writer_table table = {"1o.4", {i < 127 ? i : 127, 0, 0, i}};
        point_to(text, first + 4 * i, find_table(text->length, 4));
        size_t place = writer_add_table(text, &table);
        writer_point(text, writer_field(text, place, 1));
        writer_add_string(text, i == 32 ? "Mine" : "");
    }
}

/* Buffer 0 is empty, buffer 1 holds 12 bytes. */
static void add_buffers(struct text *text, size_t field)
{
    const struct writer_table table = {"o", {0}};
    writer_point(text, field);
    size_t first = writer_add_vector(text, NULL, 2);
    for (unsigned i = 0; i < 2; i++) {
        point_to(text, first + 4 * i, find_table(text->length, 1));
        size_t place = writer_add_table(text, &table);
        writer_point(text, writer_field(text, place, 0));
        add_number(text, 12 * i, 4);
        text_append_bytes(text, "twelve bytes", 12 * i);
    }
}

void writer_add_model(struct text *text, const struct writer_subgraph *subgraphs, unsigned count)
{
    const struct writer_table model = {"4oo.o", {3}};
    text_append_bytes(text, "\0\0\0\0TFL3", 8);
    point_to(text, 0, find_table(text->length, 5));
    size_t place = writer_add_table(text, &model);
    add_codes(text, writer_field(text, place, 1));
    add_buffers(text, writer_field(text, place, 4));
    writer_point(text, writer_field(text, place, 2));
    size_t first = writer_add_vector(text, NULL, count);
    for (unsigned i = 0; i < count; i++) {
        point_to(text, first + 4 * i, find_table(text->length, 4));
        add_subgraph(text, &subgraphs[i]);
    }
}
