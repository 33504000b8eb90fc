#include "datasets/onnx/model/names.h"

#include <string.h>

#include "core/memory.h"
#include "datasets/onnx/model/wire.h"

/* What names mean while the model is walked: an inner graph sees the names of the graphs around it,
   the body of a function only its own. */

struct binding {
    char *unique;       /* the value for which the name stands now, NULL for none */
    const char *wished; /* the name that the value should get, or NULL */
    uint32_t depth;     /* of the scope in which it was bound */
    unsigned again;     /* how many names have been derived from this one */
};

struct undo {
    uint32_t name;
    struct binding before;
};

struct scope {
    struct onnx_model *model;
    struct names names;      /* as they stand in the file */
    struct binding *binding; /* [names.count] */
    struct undo *undo;       /* [undos] */
    size_t undos, undo_capacity, binding_capacity;
    uint32_t depth; /* number of the innermost scope */
    uint32_t floor; /* scopes with lower numbers are not visible */
};

/* To leave a scope: the answer of scope_enter. */
struct scope_mark {
    size_t undos;
    uint32_t floor;
};

static struct scope_mark scope_enter(struct scope *scope, bool closed)
{
    struct scope_mark mark = {scope->undos, scope->floor};
    scope->depth++;
    if (closed)
        scope->floor = scope->depth;
    return mark;
}

static void scope_leave(struct scope *scope, struct scope_mark mark)
{
    while (scope->undos > mark.undos) {
        struct undo *undo = &scope->undo[--scope->undos];
        undo->before.again = scope->binding[undo->name].again;
        scope->binding[undo->name] = undo->before;
    }
    scope->floor = mark.floor;
    scope->depth--;
}

/* The binding of a name in the innermost scope, for the caller to fill; its former content comes
   back when the scope is left. */
static enum status open_binding(struct scope *scope, const char *name, struct binding **opened)
{
    struct error *error = scope->model->error;
    uint32_t index = names_find(&scope->names, name);
    if (index == NAMES_NONE) {
        index = scope->names.count;
        TRY(memory_reserve(&scope->binding, &scope->binding_capacity, (size_t)index + 1,
                           sizeof *scope->binding, error));
        TRY(names_add(&scope->names, name, error));
        scope->binding[index] = (struct binding){0};
    }
    struct binding *binding = &scope->binding[index];
    if (binding->depth != scope->depth) {
        TRY(memory_reserve(&scope->undo, &scope->undo_capacity, scope->undos + 1,
                           sizeof *scope->undo, error));
        scope->undo[scope->undos++] = (struct undo){index, *binding};
        *binding = (struct binding){.depth = scope->depth, .again = binding->again};
    }
    *opened = binding;
    return STATUS_OK;
}

/* Replaces *name by the value's own, which is added to the model. One that the scope has stays what
   it is where it may be defined again, else that fails. */
static enum status scope_define(struct scope *scope, char **name, bool again)
{
    struct onnx_model *model = scope->model;
    struct binding *binding;
    TRY(open_binding(scope, *name, &binding));
    if (binding->unique && !again)
        return error_set(model->error, STATUS_BAD_INPUT,
                         "found '%s' written twice, expected one node", *name);
    if (!binding->unique) {
        const char *wished = binding->wished ? binding->wished : *name;
        char *unique = (char *)wished;
        while (unique && names_find(&model->names, unique) != NAMES_NONE) {
            binding->again += binding->again ? 1 : 2;
            unique = onnx_memory_name(&model->memory, wished, binding->again);
        }
        if (!unique)
            return error_no_memory(model->error);
        TRY(onnx_model_add(model, unique));
        binding->unique = unique;
    }
    *name = binding->unique;
    return STATUS_OK;
}

/* name is from now on the value called unique. */
static enum status scope_bind(struct scope *scope, const char *name, char *unique)
{
    struct binding *binding;
    TRY(open_binding(scope, name, &binding));
    if (binding->unique)
        return error_set(scope->model->error, STATUS_BAD_INPUT,
                         "found '%s' written twice, expected one node", name);
    binding->unique = unique;
    return STATUS_OK;
}

/* The value that name is given in this scope later is called wished, or, where that is taken, what
   is made of it by a number. */
static enum status scope_wish(struct scope *scope, const char *name, const char *wished)
{
    struct binding *binding;
    TRY(open_binding(scope, name, &binding));
    binding->wished = wished;
    return STATUS_OK;
}

/* What the name means, NULL if nothing. */
static char *scope_find(const struct scope *scope, const char *name)
{
    uint32_t index = names_find(&scope->names, name);
    if (index == NAMES_NONE || scope->binding[index].depth < scope->floor)
        return NULL;
    return scope->binding[index].unique;
}

enum { MOST_CALL_DEPTH = 32 };

struct resolver {
    struct onnx_model *model;
    struct scope scope;
    unsigned calls;    /* depth of calls of functions that are being resolved */
    size_t bytes_left; /* for copies of the nodes of functions */
};

/* The nodes that replace those of a graph. */
struct node_list {
    Onnx__NodeProto **node; /* [count], not in the model's memory while it grows */
    size_t count, capacity;
};

static bool are_equal(const char *first, const char *second)
{
    return strcmp(first ? first : "", second ? second : "") == 0;
}

/* Puts the call's attributes in the place of those that a node of the function's body, and of the
   graphs inside it, only names; those that the call does not give are left out. */
static void fill_attributes(Onnx__NodeProto *node, const Onnx__NodeProto *call)
{
    size_t kept = 0;
    for (size_t i = 0; i < node->n_attribute; i++) {
        Onnx__AttributeProto *attribute = node->attribute[i];
        for (size_t j = 0; attribute->g && j < attribute->g->n_node; j++)
            fill_attributes(attribute->g->node[j], call);
        if (attribute->ref_attr_name && *attribute->ref_attr_name) {
            const Onnx__AttributeProto *given = onnx_node_attribute(call, attribute->ref_attr_name);
            char *name = attribute->name;
            if (!given)
                continue;
            *attribute = *given;
            attribute->name = name;
        }
        node->attribute[kept++] = attribute;
    }
    node->n_attribute = kept;
}

static enum status resolve_uses(struct resolver *resolver, const char *user, char **names,
                                size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!*names[i])
            continue;
        char *unique = scope_find(&resolver->scope, names[i]);
        if (!unique)
            return error_set(
                resolver->model->error, STATUS_BAD_INPUT,
                "found '%s' reading '%s', which nothing before it writes, expected nodes in "
                "execution order",
                user, names[i]);
        names[i] = unique;
    }
    return STATUS_OK;
}

/* Writes the final names of the results into the outputs of the call. */
static enum status name_results(struct resolver *resolver, const Onnx__NodeProto *call,
                                const Onnx__FunctionProto *function, char **result)
{
    for (size_t i = 0; i < call->n_output; i++) {
        result[i] = NULL;
        if (!*call->output[i])
            continue;
        result[i] =
            i < function->n_output ? scope_find(&resolver->scope, function->output[i]) : NULL;
        if (!result[i])
            return error_set(resolver->model->error, STATUS_BAD_INPUT,
                             "found function '%s' without output %zu, expected it to be written",
                             onnx_node_type(call), i);
    }
    return STATUS_OK;
}

static enum status resolve_node(struct resolver *resolver, Onnx__NodeProto *node,
                                struct node_list *list);

static enum status inline_call(struct resolver *resolver, const Onnx__NodeProto *call,
                               const Onnx__FunctionProto *function, struct node_list *list)
{
    struct onnx_model *model = resolver->model;
    struct scope *scope = &resolver->scope;
    char **result = onnx_memory_allocate(&model->memory, call->n_output * sizeof *result);
    if (!result)
        return error_no_memory(model->error);
    if (++resolver->calls > MOST_CALL_DEPTH)
        return error_set(model->error, STATUS_BAD_INPUT,
                         "found a call of function '%s' more than %d calls deep, expected fewer",
                         onnx_node_type(call), MOST_CALL_DEPTH);
    struct scope_mark mark = scope_enter(scope, true);
    /* The parameters stand for the inputs of the call, and results be named as its outputs. */
    for (size_t i = 0; i < function->n_input; i++)
        if (*function->input[i])
            TRY(scope_bind(scope, function->input[i], (char *)onnx_node_input(call, i)));
    for (size_t i = 0; i < function->n_output; i++)
        if (*function->output[i] && *onnx_node_output(call, i))
            TRY(scope_wish(scope, function->output[i], onnx_node_output(call, i)));
    for (size_t i = 0; i < function->n_node; i++) {
        Onnx__NodeProto *copy;
        TRY(onnx_wire_copy(&model->memory, function->node[i], &resolver->bytes_left, &copy,
                           model->error));
        fill_attributes(copy, call);
        TRY(resolve_node(resolver, copy, list));
    }
    TRY(name_results(resolver, call, function, result));
    scope_leave(scope, mark);
    resolver->calls--;
    for (size_t i = 0; i < call->n_output; i++)
        if (result[i])
            TRY(scope_bind(scope, call->output[i], result[i]));
    return STATUS_OK;
}

static enum status resolve_graph(struct resolver *resolver, Onnx__GraphProto *graph, bool branch);

/* Resolves what a node reads, its inner graphs and what it writes; the call of one of the model's
   own functions gives way to the nodes of the function. */
static enum status resolve_node(struct resolver *resolver, Onnx__NodeProto *node,
                                struct node_list *list)
{
    const Onnx__ModelProto *proto = resolver->model->proto;
    const char *user = node->name && *node->name ? node->name : onnx_node_type(node);
    TRY(resolve_uses(resolver, user, node->input, node->n_input));
    for (size_t i = 0; i < proto->n_functions; i++) {
        const Onnx__FunctionProto *function = proto->functions[i];
        if (are_equal(function->name, node->op_type) && are_equal(function->domain, node->domain))
            return inline_call(resolver, node, function, list);
    }
    for (size_t i = 0; i < node->n_attribute; i++)
        if (node->attribute[i]->g)
            TRY(resolve_graph(resolver, node->attribute[i]->g, onnx_node_is(node, "If")));
    for (size_t i = 0; i < node->n_output; i++)
        if (*node->output[i])
            TRY(scope_define(&resolver->scope, &node->output[i], false));
    TRY(memory_reserve(&list->node, &list->capacity, list->count + 1, sizeof *list->node,
                       resolver->model->error));
    list->node[list->count++] = node;
    return STATUS_OK;
}

static void free_list(struct node_list *list)
{
    memory_free(list->node);
}

/* Resolves the names that a graph declares. An initializer that gives an input a default value is
   the same value as that input. */
static enum status resolve_declared(struct resolver *resolver, Onnx__GraphProto *graph)
{
    struct scope *scope = &resolver->scope;
    for (size_t i = 0; i < graph->n_input; i++)
        if (graph->input[i]->name && *graph->input[i]->name)
            TRY(scope_define(scope, &graph->input[i]->name, false));
    for (size_t i = 0; i < graph->n_initializer; i++)
        if (graph->initializer[i]->name && *graph->initializer[i]->name)
            TRY(scope_define(scope, &graph->initializer[i]->name, true));
    for (size_t i = 0; i < graph->n_sparse_initializer; i++) {
        Onnx__TensorProto *values = graph->sparse_initializer[i]->values;
        if (values && values->name && *values->name)
            TRY(scope_define(scope, &values->name, true));
    }
    return STATUS_OK;
}

/* Resolves a graph. Branches have no inputs; if a file lists some, they are values of the graph
   around the branch. */
static enum status resolve_graph(struct resolver *resolver, Onnx__GraphProto *graph, bool branch)
{
    SCOPED(free_list) struct node_list list = {0};
    struct onnx_model *model = resolver->model;
    struct scope_mark mark = scope_enter(&resolver->scope, false);
    size_t kept = 0;
    if (branch)
        graph->n_input = 0;
    TRY(resolve_declared(resolver, graph));
    for (size_t i = 0; i < graph->n_node; i++)
        TRY(resolve_node(resolver, graph->node[i], &list));
    graph->node = onnx_memory_allocate(&model->memory, list.count * sizeof *graph->node);
    if (!graph->node)
        return error_no_memory(model->error);
    if (list.count)
        memcpy(graph->node, list.node, list.count * sizeof *graph->node);
    graph->n_node = list.count;
    for (size_t i = 0; i < graph->n_output; i++) {
        if (!graph->output[i]->name || !*graph->output[i]->name)
            return error_set(model->error, STATUS_BAD_INPUT,
                             "found output %zu of graph '%s' without a name, expected one", i,
                             graph->name ? graph->name : "");
        TRY(resolve_uses(resolver, "output of the graph", &graph->output[i]->name, 1));
    }
    /* The types that the file states for values which no longer exist are dropped. */
    for (size_t i = 0; i < graph->n_value_info; i++) {
        Onnx__ValueInfoProto *info = graph->value_info[i];
        char *unique = info->name ? scope_find(&resolver->scope, info->name) : NULL;
        if (!unique)
            continue;
        info->name = unique;
        graph->value_info[kept++] = info;
    }
    graph->n_value_info = kept;
    scope_leave(&resolver->scope, mark);
    return STATUS_OK;
}

static void free_resolver(struct resolver *resolver)
{
    names_free(&resolver->scope.names);
    memory_free_all(resolver->scope.binding, resolver->scope.undo);
}

enum status onnx_names_resolve(struct onnx_model *model)
{
    SCOPED(free_resolver)
    struct resolver resolver = {
        .model = model, .scope = {.model = model}, .bytes_left = (size_t)64 << 20};
    TRY(resolve_graph(&resolver, model->proto->graph, false));
    model->proto->n_functions = 0;
    return STATUS_OK;
}
