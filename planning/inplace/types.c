#include "planning/inplace/types.h"

#include <ctype.h>
#include <string.h>

#include "core/rows.h"

enum { FIRST = 1, BOTH = 3 };

/* To add a type: a row. */
static const struct inplace_type types[] = {
    {"abs", FIRST, false},
    {"acos", FIRST, false},
    {"add", BOTH, false},
    {"and", BOTH, false},
    {"asin", FIRST, false},
    {"atan", FIRST, false},
    {"batchnorm", FIRST, false},
    {"batchnormalization", FIRST, false},
    {"biasadd", FIRST, false},
    {"bitcast", FIRST, true},
    {"ceil", FIRST, false},
    {"celu", FIRST, false},
    {"clip", FIRST, false},
    {"copy", FIRST, true},
    {"cos", FIRST, false},
    {"cosh", FIRST, false},
    {"div", BOTH, false},
    {"dropout", FIRST, false},
    {"elu", FIRST, false},
    {"erf", FIRST, false},
    {"exp", FIRST, false},
    {"expanddims", FIRST, true},
    {"flatten", FIRST, true},
    {"floor", FIRST, false},
    {"gelu", FIRST, false},
    {"hardsigmoid", FIRST, false},
    {"hardswish", FIRST, false},
    {"identity", FIRST, true},
    {"leakyrelu", FIRST, false},
    {"log", FIRST, false},
    {"logicaland", BOTH, false},
    {"logicalnot", FIRST, false},
    {"logicalor", BOTH, false},
    {"logistic", FIRST, false},
    {"maximum", BOTH, false},
    {"minimum", BOTH, false},
    {"mish", FIRST, false},
    {"mod", BOTH, false},
    {"mul", BOTH, false},
    {"neg", FIRST, false},
    {"not", FIRST, false},
    {"or", BOTH, false},
    {"pow", BOTH, false},
    {"prelu", FIRST, false},
    {"reciprocal", FIRST, false},
    {"relu", FIRST, false},
    {"relu0to1", FIRST, false},
    {"relu6", FIRST, false},
    {"relun1to1", FIRST, false},
    {"reshape", FIRST, true},
    {"round", FIRST, false},
    {"rsqrt", FIRST, false},
    {"selu", FIRST, false},
    {"sigmoid", FIRST, false},
    {"sign", FIRST, false},
    {"silu", FIRST, false},
    {"sin", FIRST, false},
    {"sinh", FIRST, false},
    {"softplus", FIRST, false},
    {"softsign", FIRST, false},
    {"sqrt", FIRST, false},
    {"square", FIRST, false},
    {"squareddifference", BOTH, false},
    {"squeeze", FIRST, true},
    {"sub", BOTH, false},
    {"swish", FIRST, false},
    {"tan", FIRST, false},
    {"tanh", FIRST, false},
    {"unsqueeze", FIRST, true},
    {"xor", BOTH, false},
};

static int get_letter(const char **at, const char *end)
{
    while (*at < end && **at == '_')
        ++*at;
    return *at < end ? tolower((unsigned char)*(*at)++) : 0;
}

bool inplace_type_is(const char *type, const char *name, size_t length)
{
    const char *type_end = type + strlen(type), *name_end = name + length;
    int letter;
    do {
        letter = get_letter(&type, type_end);
        if (letter != get_letter(&name, name_end))
            return false;
    } while (letter);
    return true;
}

ROWS_DEFINE(inplace_types, struct inplace_type, types);

const struct inplace_type *inplace_type_find(const char *type)
{
    for (uint32_t i = 0; i < inplace_types_count(); i++)
        if (inplace_type_is(type, types[i].name, strlen(types[i].name)))
            return &types[i];
    return NULL;
}
