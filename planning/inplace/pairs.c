#include "planning/inplace/pairs.h"

#include <assert.h>
#include <string.h>

bool inplace_is_declared(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output)
{
    struct span pairs = graph->op[o].inplace;
    assert(pairs.count % 2 == 0);
    for (uint32_t i = 0; i < pairs.count; i += 2) {
        const uint32_t *pair = &graph->list[pairs.first + i];
        if (pair[0] == input && pair[1] == output)
            return true;
    }
    return false;
}

/* Only operators with one output count: some types have more of them in training than at inference,
   and then need their inputs longer. */
bool inplace_is_listed(const struct graph *graph, uint32_t o, const struct inplace_type *type,
                       uint32_t input, uint32_t output)
{
    const struct graph_operator *plain = &graph->op[o];
    assert(input < plain->inputs.count);
    if (!type || plain->outputs.count != 1 || output != 0 || input >= 32 ||
        !(type->inputs >> input & 1))
        return false;
    return graph->tensor[graph->list[plain->inputs.first + input]].bytes ==
           graph->tensor[graph->list[plain->outputs.first]].bytes;
}

bool inplace_is_assign(const struct graph *graph, uint32_t o)
{
    return inplace_type_is(graph_label(graph, graph->op[o].type), INPLACE_TYPE_ASSIGN,
                           strlen(INPLACE_TYPE_ASSIGN));
}

bool inplace_assigns_ignored(const struct graph *graph, uint32_t o)
{
    const struct graph_operator *plain = &graph->op[o];
    return inplace_is_assign(graph, o) && plain->first_region == GRAPH_NONE &&
           plain->inputs.count == 1 && plain->ignored.count == 1 && plain->outputs.count == 1;
}

bool inplace_is_possible(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output)
{
    const struct graph_operator *plain = &graph->op[o];
    bool writes_variable = inplace_is_assign(graph, o) && plain->inputs.count == 2 &&
                           plain->outputs.count == 1 && input == 0 && output == 0;
    assert(o < graph->operators);
    return plain->first_region == GRAPH_NONE &&
           (writes_variable || inplace_is_declared(graph, o, input, output) ||
            inplace_is_listed(graph, o, inplace_type_find(graph_label(graph, plain->type)), input,
                              output) ||
            inplace_is_view(graph, o, input, output));
}

bool inplace_is_view(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output)
{
    const struct graph_operator *plain = &graph->op[o];
    const struct inplace_type *type = inplace_type_find(graph_label(graph, plain->type));
    assert(o < graph->operators);
    bool view = (type && type->view) || inplace_assigns_ignored(graph, o);
    return view && input == 0 && output == 0 && plain->inputs.count && plain->outputs.count == 1 &&
           graph->tensor[graph->list[plain->inputs.first]].bytes ==
               graph->tensor[graph->list[plain->outputs.first]].bytes;
}
