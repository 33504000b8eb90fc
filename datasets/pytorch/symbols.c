/* Expressions are written as sympy's srepr does: Mul(Integer(2), Symbol('s0', positive=True)), or,
   in files of 2023, as a plain name. */

#include "datasets/pytorch/symbols.h"

#include <ctype.h>
#include <string.h>

#include "core/memory.h"

enum { MOST_DEPTH = 64, MOST_SYMBOL_BYTES = 64 };
#define UNKNOWN INT64_MIN

void pytorch_symbols_free(struct pytorch_symbols *symbols)
{
    names_free(&symbols->names);
    memory_free(symbols->value);
}

const struct json_value *pytorch_chosen(const struct json_reader *json,
                                        const struct json_value *choice, const char **kind)
{
    *kind = "";
    if (!json_tree_is(choice, JSON_OBJECT))
        return NULL;
    JSON_EACH(value, choice) {
        if (json_tree_is(value, JSON_NULL))
            continue;
        *kind = json_tree_key(&json->document->tree, value);
        return value;
    }
    return NULL;
}

/* An expression that is being evaluated. */
struct expression {
    struct pytorch_symbols *symbols;
    const char *at;
    unsigned depth;
    enum status status;
};

static int64_t evaluate(struct expression *expression);

static void skip_blanks(struct expression *expression)
{
    while (isspace((unsigned char)*expression->at))
        expression->at++;
}

/* The word, number or quoted name that stands next. */
static size_t take_word(struct expression *expression, char word[MOST_SYMBOL_BYTES])
{
    size_t length = 0;
    skip_blanks(expression);
    while (isalnum((unsigned char)*expression->at) || *expression->at == '_' ||
           (length == 0 && *expression->at == '-')) {
        if (length + 1 < MOST_SYMBOL_BYTES)
            word[length++] = *expression->at;
        expression->at++;
    }
    word[length] = '\0';
    return length;
}

static bool take(struct expression *expression, char punctuation)
{
    skip_blanks(expression);
    if (*expression->at != punctuation)
        return false;
    expression->at++;
    return true;
}

/* The value of a symbol that no input has as a dimension: at most the bound of its range. */
static int64_t bound_symbol(struct pytorch_symbols *symbols, const char *name)
{
    const struct json_reader *json = symbols->json;
    const struct json_value *range = json_fields_get(json, symbols->ranges, name);
    const struct json_value *most = json_fields_get(json, range, "max_val");
    if (json_tree_is(most, JSON_INTEGER) && !most->negative && most->integer <= UINT32_MAX)
        return (int64_t)most->integer;
    return symbols->options->assume_dimension ? (int64_t)symbols->options->assume_dimension
                                              : UNKNOWN;
}

static int64_t find_symbol(struct expression *expression, const char *name)
{
    struct pytorch_symbols *symbols = expression->symbols;
    uint32_t found = names_find(&symbols->names, name);
    return found == NAMES_NONE ? bound_symbol(symbols, name) : symbols->value[found];
}

/* The rest of Symbol('s0', positive=True, integer=True), or of Integer(2). */
static int64_t take_leaf(struct expression *expression, bool is_symbol)
{
    char word[MOST_SYMBOL_BYTES];
    int64_t value = UNKNOWN;
    take(expression, '\'');
    size_t length = take_word(expression, word);
    if (is_symbol && length)
        value = find_symbol(expression, word);
    else if (!is_symbol && !text_parse_i64(word, length, &value))
        value = UNKNOWN;
    while (*expression->at && *expression->at != ')')
        expression->at++;
    return take(expression, ')') ? value : UNKNOWN;
}

enum operation { ADD, MULTIPLY, FLOOR_DIVIDE, MODULO, MAX, MIN, POWER };

static int64_t power(int64_t base, int64_t exponent)
{
    int64_t result = 1;
    if (base < 2 || exponent < 0)
        return exponent < 0 || base < 0 ? UNKNOWN : exponent ? base : 1;
    for (int64_t i = 0; i < exponent; i++)
        if (__builtin_mul_overflow(result, base, &result))
            return UNKNOWN;
    return result;
}

static int64_t combine(enum operation operation, int64_t left, int64_t right)
{
    int64_t result = UNKNOWN;
    if (left == UNKNOWN || right == UNKNOWN)
        return UNKNOWN;
    switch (operation) {
    case ADD:
        return __builtin_add_overflow(left, right, &result) ? UNKNOWN : result;
    case MULTIPLY:
        return __builtin_mul_overflow(left, right, &result) ? UNKNOWN : result;
    case FLOOR_DIVIDE:
        return left >= 0 && right > 0 ? left / right : UNKNOWN;
    case MODULO:
        return left >= 0 && right > 0 ? left % right : UNKNOWN;
    case MAX:
        return left > right ? left : right;
    case MIN:
        return left < right ? left : right;
    case POWER:
        return power(left, right);
    }
    return UNKNOWN;
}

/* The arguments of a function behind its bracket. */
static int64_t take_arguments(struct expression *expression, enum operation operation)
{
    int64_t value = evaluate(expression);
    while (take(expression, ','))
        value = combine(operation, value, evaluate(expression));
    return take(expression, ')') ? value : UNKNOWN;
}

static int64_t take_function(struct expression *expression, const char *word)
{
    static const struct {
        const char *name;
        enum operation operation;
    } functions[] = {
        {"Add", ADD},
        {"Mul", MULTIPLY},
        {"FloorDiv", FLOOR_DIVIDE},
        {"Mod", MODULO},
        {"PythonMod", MODULO},
        {"CleanDiv", FLOOR_DIVIDE},
        {"Max", MAX},
        {"Min", MIN},
        {"Pow", POWER},
        {"PowByNatural", POWER},
    };
    if (strcmp(word, "Symbol") == 0 || strcmp(word, "Integer") == 0)
        return take_leaf(expression, *word == 'S');
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, word) == 0)
            return take_arguments(expression, functions[i].operation);
    return UNKNOWN;
}

static int64_t evaluate(struct expression *expression)
{
    char word[MOST_SYMBOL_BYTES];
    int64_t value = UNKNOWN;
    size_t length = take_word(expression, word);
    if (!length || expression->depth == MOST_DEPTH)
        return UNKNOWN;
    expression->depth++;
    if (take(expression, '('))
        value = take_function(expression, word);
    else if (!isdigit((unsigned char)*word))
        value = find_symbol(expression, word);
    else if (!text_parse_i64(word, length, &value))
        value = UNKNOWN;
    expression->depth--;
    return value;
}

static int64_t evaluate_text(struct pytorch_symbols *symbols, const char *text)
{
    struct expression expression = {.symbols = symbols, .at = text};
    int64_t value = evaluate(&expression);
    skip_blanks(&expression);
    return *expression.at ? UNKNOWN : value;
}

/* The symbol that the text is, and nothing else; "" where it is none. */
static void find_plain(const char *text, char symbol[MOST_SYMBOL_BYTES])
{
    struct expression expression = {.at = text};
    take_word(&expression, symbol);
    if (strcmp(symbol, "Symbol") == 0 && take(&expression, '(') && take(&expression, '\''))
        take_word(&expression, symbol);
    else if (*expression.at || isdigit((unsigned char)*symbol))
        *symbol = '\0';
}

/* {"as_expr": {"expr_str": .., "hint": ..}}; NULL for a size that is a number. */
static const char *find_expression(const struct pytorch_symbols *symbols,
                                   const struct json_value *size, int64_t *hint)
{
    const char *kind;
    const struct json_reader *json = symbols->json;
    const struct json_value *value = pytorch_chosen(json, size, &kind);
    *hint = UNKNOWN;
    if (strcmp(kind, "as_expr") != 0)
        return NULL;
    const struct json_value *hinted = json_fields_get(json, value, "hint");
    hinted = json_tree_is(hinted, JSON_OBJECT) ? pytorch_chosen(json, hinted, &kind) : hinted;
    if (json_tree_is(hinted, JSON_INTEGER) && !hinted->negative && hinted->integer <= UINT32_MAX)
        *hint = (int64_t)hinted->integer;
    return json_tree_text(&json->document->tree, json_fields_get(json, value, "expr_str"));
}

static enum status set_symbol(struct pytorch_symbols *symbols, const char *name, int64_t value)
{
    uint32_t found = names_find(&symbols->names, name);
    if (found != NAMES_NONE) {
        if (symbols->value[found] == value)
            return STATUS_OK;
        return error_set(symbols->json->error, STATUS_USAGE,
                         "found %lld as '%s' in --bind, expected %lld as another dimension has it",
                         (long long)value, name, (long long)symbols->value[found]);
    }
    TRY(memory_reserve(&symbols->value, &symbols->capacity, (size_t)symbols->names.count + 1,
                       sizeof *symbols->value, symbols->json->error));
    symbols->value[symbols->names.count] = value;
    return names_add(&symbols->names, name, symbols->json->error);
}

/* The bound of a range, or what stands for a bound that is no number, such as infinity. */
static uint64_t find_end(const struct json_reader *json, const struct json_value *range,
                         const char *end, uint64_t otherwise)
{
    const struct json_value *bound = json_fields_get(json, range, end);
    return json_tree_is(bound, JSON_INTEGER) ? bound->negative ? 0 : bound->integer : otherwise;
}

static enum status refuse_dimension(const struct pytorch_symbols *symbols, const char *name)
{
    SCOPED(text_free) struct text known = {0};
    if (json_tree_is(symbols->ranges, JSON_OBJECT))
        JSON_EACH(range, symbols->ranges)
            text_append(&known, "%s'%s'", known.length ? ", " : "",
                        json_tree_key(&symbols->json->document->tree, range));
    TRY(text_check(&known, symbols->json->error));
    return error_set(symbols->json->error, STATUS_BAD_INPUT,
                     "found no size of the program called '%s', expected one of: %s", name,
                     known.length ? known.bytes : "none, as no size has a name");
}

enum status pytorch_symbols_set(struct pytorch_symbols *symbols)
{
    const struct names *dimension = symbols->options->dimension;
    for (uint32_t i = 0; dimension && i < dimension->count; i++) {
        const char *name = names_get(dimension, i);
        const struct json_value *range = json_fields_get(symbols->json, symbols->ranges, name);
        uint64_t value = symbols->options->value[i];
        if (!range)
            return refuse_dimension(symbols, name);
        uint64_t least = find_end(symbols->json, range, "min_val", 0);
        uint64_t most = find_end(symbols->json, range, "max_val", INT64_MAX);
        if (value < least || value > most)
            return error_set(symbols->json->error, STATUS_BAD_INPUT,
                             "found %llu for '%s', expected one of the program's range, %llu to "
                             "%llu",
                             (unsigned long long)value, name, (unsigned long long)least,
                             (unsigned long long)most);
        TRY(set_symbol(symbols, name, (int64_t)value));
        symbols->is_bound = true;
    }
    return STATUS_OK;
}

/* What the user gives a dimension that is no plain symbol must be what the program says. */
static enum status check_bound(struct pytorch_symbols *symbols, const char *input,
                               const struct json_value *size, int64_t bound)
{
    uint64_t number;
    TRY(pytorch_symbols_size(symbols, size, &number));
    if (number == (uint64_t)bound)
        return STATUS_OK;
    return error_set(symbols->json->error, STATUS_USAGE,
                     "found %lld as a dimension of '%s' in --bind, expected %llu as in the program",
                     (long long)bound, input, (unsigned long long)number);
}

enum status pytorch_symbols_learn(struct pytorch_symbols *symbols, const char *input,
                                  const struct json_value *sizes, bool is_bound)
{
    struct error *error = symbols->json->error;
    struct bound_shape shape;
    bool found;
    uint32_t i = 0;
    TRY(bound_shape_find(symbols->options, input, &shape, &found, error));
    symbols->is_bound |= found;
    if (found != is_bound)
        return STATUS_OK;
    if (found && shape.rank != json_tree_count(sizes))
        return error_set(error, STATUS_USAGE,
                         "found %u dimensions of '%s' in --bind, expected the %zu of the program",
                         shape.rank, input, json_tree_count(sizes));
    JSON_EACH(size, sizes) {
        char symbol[MOST_SYMBOL_BYTES] = "";
        int64_t hint;
        const char *text = find_expression(symbols, size, &hint);
        if (text)
            find_plain(text, symbol);
        bool is_known = names_find(&symbols->names, symbol) != NAMES_NONE;
        if (*symbol && found)
            TRY(set_symbol(symbols, symbol, shape.dimension[i]));
        else if (*symbol && hint != UNKNOWN && !is_known)
            TRY(set_symbol(symbols, symbol, hint));
        else if (found)
            TRY(check_bound(symbols, input, size, shape.dimension[i]));
        i++;
    }
    return STATUS_OK;
}

enum status pytorch_symbols_size(struct pytorch_symbols *symbols, const struct json_value *size,
                                 uint64_t *number)
{
    const char *kind;
    int64_t hint, value;
    const struct json_reader *json = symbols->json;
    const char *text = find_expression(symbols, size, &hint);
    if (!text) {
        const struct json_value *given = pytorch_chosen(json, size, &kind);
        given = given ? given : size;
        if (!json_tree_is(given, JSON_INTEGER) || given->negative)
            return json_document_fail(json, size, "found %s as a size, expected a number from 0 on",
                                      json_fields_kind(given));
        *number = given->integer;
        return STATUS_OK;
    }
    value = evaluate_text(symbols, text);
    if (value == UNKNOWN && !symbols->is_bound)
        value = hint;
    if (value == UNKNOWN && symbols->options->assume_dimension)
        value = (int64_t)symbols->options->assume_dimension;
    *number = (uint64_t)value;
    if (value >= 0)
        return STATUS_OK;
    return json_document_fail(json, size,
                              "found size '%.100s', which is known only at run time, expected one "
                              "with an upper bound, --bind or --assume-dim",
                              text);
}
