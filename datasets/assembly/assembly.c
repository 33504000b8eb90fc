#include "datasets/assembly/assembly.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/file.h"

enum { MOST_PREFIX_BYTES = 1024 };

bool assembly_set_type(struct assembly_shape *shape, const struct element_type *type)
{
    if (!type)
        return false;
    shape->element_bits = type->bits;
    shape->has_dtype = element_type_dtype(type, &shape->dtype);
    return true;
}

enum status assembly_create(struct assembly *assembly, const char *name, struct error *error)
{
    *assembly = (struct assembly){.file = "", .error = error};
    text_append(&assembly->prefix, "%s", "");
    TRY(text_check(&assembly->prefix, error));
    return graph_create(&assembly->graph, name, error);
}

enum status assembly_create_of_file(struct assembly *assembly, const char *file,
                                    struct error *error)
{
    SCOPED(memory_release) char *name = file_name_stem(file);
    TRY(name ? assembly_create(assembly, name, error) : error_no_memory(error));
    assembly->file = file;
    return STATUS_OK;
}

void assembly_list_free(struct assembly_list *list)
{
    memory_free(list->item);
    *list = (struct assembly_list){.item = NULL};
}

void assembly_clear(struct assembly *assembly)
{
    graph_free(assembly->graph);
    text_free(&assembly->prefix);
    text_free(&assembly->name);
    names_free(&assembly->operators);
    assembly_list_free(&assembly->inputs);
    assembly_list_free(&assembly->outputs);
    assembly_list_free(&assembly->inplace);
    assembly_list_free(&assembly->after);
    memory_free_all(assembly->place, assembly->use.item);
    *assembly = (struct assembly){.graph = NULL};
}

/* Makes a name that is not among the taken ones. The number starts at how many there are and
   doubles, so that no choice of names takes quadratic time. */
static enum status make_name(struct assembly *assembly, const struct names *taken, const char *name)
{
    struct text *text = &assembly->name;
    text->length = 0;
    text_append(text, "%s%s", assembly->prefix.bytes, name);
    TRY(text_check(text, assembly->error));
    size_t length = text->length;
    for (uint64_t i = taken->count; names_find(taken, text->bytes) != NAMES_NONE; i = 2 * i + 1) {
        text->length = length;
        text_append(text, "_%" PRIu64, i);
        TRY(text_check(text, assembly->error));
    }
    return STATUS_OK;
}

enum status assembly_add_tensor(struct assembly *assembly, const char *name,
                                struct graph_tensor_spec spec, uint32_t *tensor)
{
    TRY(make_name(assembly, &assembly->graph->tensor_names, name));
    spec.name = assembly->name.bytes;
    return graph_add_tensor(assembly->graph, &spec, tensor, assembly->error);
}

enum status assembly_define(struct assembly *assembly, const char *name,
                            const struct assembly_shape *shape, struct assembly_value *value)
{
    bool has_shape = shape->has_dtype && shape->bytes;
    const struct graph_tensor_spec spec = {.external = shape->external,
                                           .has_shape = has_shape,
                                           .dtype = has_shape ? shape->dtype : 0,
                                           .rank = shape->rank,
                                           .dimensions = shape->dimension,
                                           .bytes = shape->bytes ? shape->bytes : 1};
    *value = assembly_weight(shape, GRAPH_NONE);
    value->kind = ASSEMBLY_TENSOR;
    TRY(assembly_add_tensor(assembly, name, spec, &value->tensor));
    TRY(memory_reserve(&assembly->place, &assembly->place_capacity, (size_t)value->tensor + 1,
                       sizeof *assembly->place, assembly->error));
    for (; assembly->places <= value->tensor; assembly->places++)
        assembly->place[assembly->places] =
            (struct assembly_place){.region = GRAPH_NONE, .writer = GRAPH_NONE};
    assembly->place[value->tensor].region = assembly->graph->building->open_region;
    return STATUS_OK;
}

struct assembly_value assembly_weight(const struct assembly_shape *shape, uint32_t source)
{
    return (struct assembly_value){.kind = ASSEMBLY_WEIGHT,
                                   .tensor = GRAPH_NONE,
                                   .source = source,
                                   .has_dtype = shape->has_dtype,
                                   .dtype = shape->has_dtype ? shape->dtype : 0,
                                   .bytes = shape->bytes};
}

enum status assembly_open(struct assembly *assembly, const char *name, const char *type,
                          uint32_t *op)
{
    assert(!assembly->inputs.count && !assembly->outputs.count && !assembly->inplace.count);
    TRY(make_name(assembly, &assembly->operators, name));
    TRY(names_add(&assembly->operators, assembly->name.bytes, assembly->error));
    return graph_open_operator(assembly->graph, assembly->name.bytes, type, op, assembly->error);
}

enum status assembly_list_add(struct assembly *assembly, struct assembly_list *list, uint32_t item)
{
    TRY_ADD(*list, assembly->error, item);
    return STATUS_OK;
}

enum status assembly_read(struct assembly *assembly, const struct assembly_value *value,
                          const char *name)
{
    assert(value->kind != ASSEMBLY_UNKNOWN);
    if (value->kind == ASSEMBLY_TENSOR)
        return assembly_list_add(assembly, &assembly->inputs, value->tensor);
    if (value->kind == ASSEMBLY_WEIGHT && value->bytes)
        return graph_operator_weight(assembly->graph, name, value->dtype, value->bytes,
                                     assembly->error);
    return STATUS_OK;
}

enum status assembly_write(struct assembly *assembly, uint32_t tensor)
{
    return assembly_list_add(assembly, &assembly->outputs, tensor);
}

enum status assembly_add_inplace(struct assembly *assembly, uint32_t input)
{
    TRY(assembly_list_add(assembly, &assembly->inplace, input));
    return assembly_list_add(assembly, &assembly->inplace, 0);
}

enum status assembly_may_overwrite(struct assembly *assembly, const struct assembly_value *value,
                                   const struct assembly_shape *from,
                                   const struct assembly_shape *to, uint32_t *position)
{
    uint32_t times = 0, input = *position;
    if (value->kind != ASSEMBLY_TENSOR)
        return STATUS_OK;
    ++*position;
    for (uint32_t i = 0; i < assembly->inputs.count; i++)
        times += assembly->inputs.item[i] == value->tensor;
    if (times != 1 || from->bytes != to->bytes || value->bytes != to->bytes || !to->bytes ||
        from->element_bits != to->element_bits || from->layout != to->layout)
        return STATUS_OK;
    return assembly_add_inplace(assembly, input);
}

/* The place of a tensor, where the operator stands directly in its region. */
static struct assembly_place *find_place(const struct assembly *assembly, uint32_t tensor,
                                         uint32_t op)
{
    struct assembly_place *place = tensor < assembly->places ? &assembly->place[tensor] : NULL;
    return place && place->region == assembly->graph->op[op].region ? place : NULL;
}

bool assembly_is_writable(const struct assembly *assembly, uint32_t tensor, uint32_t op)
{
    return find_place(assembly, tensor, op) != NULL;
}

enum status assembly_use(struct assembly *assembly, uint32_t tensor, uint32_t op)
{
    struct assembly_place *place = find_place(assembly, tensor, op);
    if (!place)
        return STATUS_OK;
    if (place->writer != GRAPH_NONE)
        TRY(assembly_list_add(assembly, &assembly->after, place->writer));
    TRY_ADD(assembly->use, assembly->error, (struct assembly_use){op, place->last_use});
    place->last_use = assembly->use.count;
    return STATUS_OK;
}

enum status assembly_overwrite(struct assembly *assembly, uint32_t tensor, uint32_t op)
{
    struct assembly_place *place = find_place(assembly, tensor, op);
    assert(place);
    for (uint32_t use = place->last_use; use; use = assembly->use.item[use - 1].next)
        if (assembly->use.item[use - 1].op != op)
            TRY(assembly_list_add(assembly, &assembly->after, assembly->use.item[use - 1].op));
    place->writer = op;
    place->last_use = 0;
    return STATUS_OK;
}

enum status assembly_head(struct assembly *assembly)
{
    struct graph *graph = assembly->graph;
    struct error *error = assembly->error;
    TRY(graph_operator_inputs(graph, assembly->inputs.item, assembly->inputs.count, error));
    TRY(graph_operator_outputs(graph, assembly->outputs.item, assembly->outputs.count, error));
    TRY(graph_operator_inplace(graph, assembly->inplace.item, assembly->inplace.count / 2, error));
    TRY(graph_operator_after(graph, assembly->after.item, assembly->after.count, error));
    assembly->inputs.count = assembly->outputs.count = 0;
    assembly->inplace.count = assembly->after.count = 0;
    return STATUS_OK;
}

enum status assembly_close(struct assembly *assembly)
{
    TRY(assembly_head(assembly));
    graph_close_operator(assembly->graph);
    return STATUS_OK;
}

enum status assembly_tensor(struct assembly *assembly, struct assembly_value *value,
                            const char *name, uint32_t *tensor)
{
    if (value->kind != ASSEMBLY_TENSOR && value->kind != ASSEMBLY_WEIGHT)
        return error_set(assembly->error, STATUS_BAD_INPUT,
                         "found '%.60s', which has no value, expected one that is written before",
                         name);
    if (value->kind == ASSEMBLY_WEIGHT && value->tensor == GRAPH_NONE) {
        struct graph_tensor_spec spec = {.bytes = value->bytes ? value->bytes : 1,
                                         .external = true};
        TRY(assembly_add_tensor(assembly, name, spec, &value->tensor));
    }
    *tensor = value->tensor;
    return STATUS_OK;
}

enum status assembly_enter(struct assembly *assembly, uint32_t op, const char *region,
                           size_t *before)
{
    const struct graph *graph = assembly->graph;
    struct text *prefix = &assembly->prefix;
    const char *label = graph_label(graph, graph->op[op].name);
    *before = prefix->length;
    assert(strncmp(label, prefix->bytes, prefix->length) == 0);
    /* Long names of files that nest them would else take the square of the file. */
    if (strlen(label) <= MOST_PREFIX_BYTES)
        text_append(prefix, "%s/%s/", label + prefix->length, region);
    TRY(text_check(prefix, assembly->error));
    return graph_open_region(assembly->graph, region, -1, assembly->error);
}

enum status assembly_leave(struct assembly *assembly, size_t before,
                           const struct assembly_list *yields)
{
    assembly->prefix.length = before;
    assembly->prefix.bytes[before] = '\0';
    return graph_close_region(assembly->graph, yields->item, yields->count, assembly->error);
}

enum status assembly_leave_branch(struct assembly *assembly, uint32_t op, size_t before,
                                  const struct assembly_list *yields)
{
    const struct graph *graph = assembly->graph;
    struct span outputs = graph->op[op].outputs;
    bool fits = yields->count == outputs.count;
    for (uint32_t i = 0; fits && i < yields->count; i++)
        fits = yields->item[i] != GRAPH_NONE &&
               graph->tensor[yields->item[i]].bytes <=
                   graph->tensor[graph->list[outputs.first + i]].bytes;
    if (!fits)
        return error_set_at(
            assembly->error, STATUS_BAD_INPUT, assembly->file, 0,
            "found a branch of '%.60s' with other values than it has, or larger ones, "
            "expected as many, and as large",
            graph_label(graph, graph->op[op].name));
    return assembly_leave(assembly, before, yields);
}

enum status assembly_leave_body(struct assembly *assembly, uint32_t op, size_t before,
                                struct assembly_list *yields)
{
    struct graph *graph = assembly->graph;
    struct span carried = graph->op[op].carried;
    if (yields->count < carried.count)
        return error_set_at(
            assembly->error, STATUS_BAD_INPUT, assembly->file, 0,
            "found a body of '%.60s' with fewer values than it carries, expected one "
            "for each",
            graph_label(graph, graph->op[op].name));
    for (uint32_t i = 0; i < carried.count; i++)
        graph->carried[carried.first + i].yield = yields->item[i];
    yields->count -= carried.count;
    if (yields->count)
        memmove(yields->item, yields->item + carried.count, yields->count * sizeof *yields->item);
    return assembly_leave(assembly, before, yields);
}

enum status assembly_finish(struct assembly *assembly, const struct assembly_list *outputs,
                            const char *file, struct graph **graph)
{
    enum status status =
        graph_finish(assembly->graph, outputs->item, outputs->count, NULL, assembly->error);
    if (status == STATUS_BAD_INPUT)
        error_name_file(assembly->error, file);
    TRY(status);
    HAND_OVER(assembly->graph, graph);
}
