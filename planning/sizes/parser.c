/* Reads an expression by recursive descent:

       sum     = product { ("+" | "-") product }          what is subtracted is a number
       product = factor { "*" factor }
       factor  = number | parameter | "(" sum ")" | "max" "(" sum "," sum ")"
               | ("ceil" | "floor") "(" product "/" number ")" | "align" "(" sum "," number ")" */

#include "planning/sizes/parser.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"

struct parser {
    const struct names *parameter;
    const char *text;
    size_t at; /* the next character */
    struct size_step **step;
    size_t *capacity, end; /* of the steps so far */
    uint32_t depth;        /* of brackets */
    uint32_t stack;        /* numbers on the stack after the last step */
    struct error *error;
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Skips blanks, and returns the length of what stands next: a word, a number or one character; 0 at
   the end. */
static size_t peek(struct parser *parser)
{
    const char *text = parser->text;
    size_t length = 0;
    while (text[parser->at] == ' ' || text[parser->at] == '\t')
        parser->at++;
    while (is_word(text[parser->at + length]))
        length++;
    return length ? length : text[parser->at] != '\0';
}

static enum status refuse(struct parser *parser, const char *expected)
{
    size_t length = peek(parser);
    if (!length)
        return error_set(parser->error, STATUS_BAD_INPUT,
                         "in size '%s', column %zu: found the end, expected %s", parser->text,
                         parser->at + 1, expected);
    return error_set(parser->error, STATUS_BAD_INPUT,
                     "in size '%s', column %zu: found '%.*s', expected %s", parser->text,
                     parser->at + 1, (int)length, parser->text + parser->at, expected);
}

static bool accept(struct parser *parser, const char *word)
{
    size_t length = peek(parser);
    assert(*word);
    if (length != strlen(word) || memcmp(parser->text + parser->at, word, length) != 0)
        return false;
    parser->at += length;
    return true;
}

static enum status expect(struct parser *parser, const char *word, const char *expected)
{
    return accept(parser, word) ? STATUS_OK : refuse(parser, expected);
}

static enum status add_step(struct parser *parser, enum size_step_kind kind, uint64_t number)
{
    assert(parser->stack >= (kind <= SIZES_PARAMETER ? 0u : kind <= SIZES_MAX ? 2u : 1u));
    if (kind <= SIZES_PARAMETER && ++parser->stack > SIZES_MOST_DEPTH)
        return refuse(parser, "a size of fewer parts");
    if (kind >= SIZES_ADD && kind <= SIZES_MAX)
        parser->stack--;
    TRY(memory_reserve(parser->step, parser->capacity, parser->end + 1, sizeof **parser->step,
                       parser->error));
    (*parser->step)[parser->end++] = (struct size_step){(uint8_t)kind, number};
    return STATUS_OK;
}

static enum status parse_number(struct parser *parser, uint64_t least, const char *expected,
                                uint64_t *number)
{
    size_t length = peek(parser);
    if (!length || !text_parse_u64(parser->text + parser->at, length, number) || *number < least ||
        *number > INT64_MAX)
        return refuse(parser, expected);
    parser->at += length;
    return STATUS_OK;
}

static enum status parse_sum(struct parser *parser);
static enum status parse_product(struct parser *parser);

/* What stands in the brackets of a function. */
static enum status parse_call(struct parser *parser, enum size_step_kind kind)
{
    bool divides = kind == SIZES_CEIL || kind == SIZES_FLOOR;
    uint64_t number = 0;
    assert(divides || kind == SIZES_MAX || kind == SIZES_ALIGN);
    TRY(expect(parser, "(", "'('"));
    TRY(divides ? parse_product(parser) : parse_sum(parser));
    TRY(divides ? expect(parser, "/", "'*' or '/' and a number")
                : expect(parser, ",", "'+', '-', '*' or ','"));
    if (kind == SIZES_MAX)
        TRY(parse_sum(parser));
    else
        TRY(parse_number(parser, 1, "a number from 1 on, which no parameter changes", &number));
    TRY(expect(parser, ")", "')'"));
    return add_step(parser, kind, number);
}

static enum status parse_word(struct parser *parser)
{
    static const struct {
        const char *name;
        enum size_step_kind kind;
    } functions[] = {
        {"ceil", SIZES_CEIL}, {"floor", SIZES_FLOOR}, {"align", SIZES_ALIGN}, {"max", SIZES_MAX}};
    const struct names *names = parser->parameter;
    size_t length = peek(parser);
    const char *word = parser->text + parser->at;
    assert(parser->depth > 0 && parser->depth <= SIZES_MOST_DEPTH);
    for (uint32_t p = 0; p < names->count; p++) {
        const char *name = names_get(names, p);
        if (strlen(name) == length && memcmp(name, word, length) == 0) {
            parser->at += length;
            return add_step(parser, SIZES_PARAMETER, p);
        }
    }
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        if (accept(parser, functions[f].name))
            return parse_call(parser, functions[f].kind);
    SCOPED(text_free) struct text expected = {0};
    text_append(&expected, "a number, '(', ceil, floor, align, max or a parameter:");
    for (uint32_t p = 0; p < names->count; p++)
        text_append(&expected, "%s %s", p ? "," : "", names_get(names, p));
    TRY(text_check(&expected, parser->error));
    return refuse(parser, expected.bytes);
}

static enum status parse_factor(struct parser *parser)
{
    enum status status = STATUS_OK;
    uint64_t number;
    if (++parser->depth > SIZES_MOST_DEPTH)
        return refuse(parser, "fewer brackets inside brackets");
    if (peek(parser) && is_digit(parser->text[parser->at])) {
        status = parse_number(parser, 0, "a number up to 2^63 - 1", &number);
        if (!status)
            status = add_step(parser, SIZES_NUMBER, number);
    } else if (accept(parser, "(")) {
        status = parse_sum(parser);
        if (!status)
            status = expect(parser, ")", "'+', '-', '*' or ')'");
    } else {
        status = parse_word(parser);
    }
    assert(parser->depth > 0);
    parser->depth--;
    return status;
}

static enum status parse_product(struct parser *parser)
{
    TRY(parse_factor(parser));
    assert(parser->stack > 0);
    while (accept(parser, "*")) {
        TRY(parse_factor(parser));
        TRY(add_step(parser, SIZES_MULTIPLY, 0));
    }
    return STATUS_OK;
}

static enum status parse_sum(struct parser *parser)
{
    uint64_t number;
    TRY(parse_product(parser));
    for (;;) {
        if (accept(parser, "+")) {
            TRY(parse_product(parser));
            TRY(add_step(parser, SIZES_ADD, 0));
        } else if (accept(parser, "-")) {
            TRY(parse_number(parser, 0,
                             "a number after '-', as the size would fall where a parameter grows",
                             &number));
            TRY(add_step(parser, SIZES_NUMBER, number));
            TRY(add_step(parser, SIZES_SUBTRACT, 0));
        } else {
            return STATUS_OK;
        }
    }
}

enum status sizes_parse(const struct names *parameter, const char *text, struct size_step **step,
                        size_t *capacity, size_t *end, struct error *error)
{
    struct parser parser = {parameter,   text,          .step = step, .capacity = capacity,
                            .end = *end, .error = error};
    assert(*end <= *capacity);
    TRY(parse_sum(&parser));
    if (peek(&parser))
        return refuse(&parser, "'+', '-', '*' or the end; quotients are ceil(a / b) or "
                               "floor(a / b)");
    assert(parser.stack == 1 && parser.depth == 0 && parser.end > *end);
    *end = parser.end;
    return STATUS_OK;
}
