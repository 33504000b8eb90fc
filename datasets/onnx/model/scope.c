#include "datasets/onnx/model/scope.h"

#include "core/memory.h"

struct onnx_scope_mark onnx_scope_enter(struct onnx_scope *scope, bool closed)
{
    struct onnx_scope_mark mark = {scope->undos, scope->floor};
    scope->depth++;
    if (closed)
        scope->floor = scope->depth;
    return mark;
}

void onnx_scope_leave(struct onnx_scope *scope, struct onnx_scope_mark mark)
{
    while (scope->undos > mark.undos) {
        struct onnx_undo *undo = &scope->undo[--scope->undos];
        undo->before.again = scope->binding[undo->name].again;
        scope->binding[undo->name] = undo->before;
    }
    scope->floor = mark.floor;
    scope->depth--;
}

void onnx_scope_free(struct onnx_scope *scope)
{
    names_free(&scope->names);
    memory_free(scope->binding);
    memory_free(scope->undo);
}

/* The binding of a name in the innermost scope, for the caller to fill; its former content comes
   back when the scope is left. */
static enum status open_binding(struct onnx_scope *scope, const char *name,
                                struct onnx_binding **opened)
{
    struct error *error = scope->model->error;
    uint32_t index = names_find(&scope->names, name);
    if (index == NAMES_NONE) {
        index = scope->names.count;
        TRY(memory_reserve(&scope->binding, &scope->binding_capacity, (size_t)index + 1,
                           sizeof *scope->binding, error));
        TRY(names_add(&scope->names, name, error));
        scope->binding[index] = (struct onnx_binding){0};
    }
    struct onnx_binding *binding = &scope->binding[index];
    if (binding->depth != scope->depth) {
        TRY(memory_reserve(&scope->undo, &scope->undo_capacity, scope->undos + 1,
                           sizeof *scope->undo, error));
        scope->undo[scope->undos++] = (struct onnx_undo){index, *binding};
        *binding = (struct onnx_binding){.depth = scope->depth, .again = binding->again};
    }
    *opened = binding;
    return STATUS_OK;
}

enum status onnx_scope_define_again(struct onnx_scope *scope, char **name)
{
    struct onnx_model *model = scope->model;
    struct onnx_binding *binding;
    TRY(open_binding(scope, *name, &binding));
    if (!binding->unique) {
        const char *wished = binding->wished ? binding->wished : *name;
        char *unique = onnx_memory_name(&model->memory, wished, 0);
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

enum status onnx_scope_define(struct onnx_scope *scope, char **name)
{
    struct onnx_binding *binding;
    TRY(open_binding(scope, *name, &binding));
    if (binding->unique)
        return error_set(scope->model->error, STATUS_BAD_INPUT,
                         "'%s' is written twice, expected one node", *name);
    return onnx_scope_define_again(scope, name);
}

enum status onnx_scope_bind(struct onnx_scope *scope, const char *name, char *unique)
{
    struct onnx_binding *binding;
    TRY(open_binding(scope, name, &binding));
    if (binding->unique)
        return error_set(scope->model->error, STATUS_BAD_INPUT,
                         "'%s' is written twice, expected one node", name);
    binding->unique = unique;
    return STATUS_OK;
}

enum status onnx_scope_wish(struct onnx_scope *scope, const char *name, const char *wished)
{
    struct onnx_binding *binding;
    TRY(open_binding(scope, name, &binding));
    binding->wished = wished;
    return STATUS_OK;
}

char *onnx_scope_find(const struct onnx_scope *scope, const char *name)
{
    uint32_t index = names_find(&scope->names, name);
    if (index == NAMES_NONE || scope->binding[index].depth < scope->floor)
        return NULL;
    return scope->binding[index].unique;
}
