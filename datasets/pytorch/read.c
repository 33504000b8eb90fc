/* A program of torch.export as a graph: what its signature says of inputs and outputs. */

#include <string.h>

#include "core/memory.h"
#include "datasets/pytorch/pytorch.h"
#include "datasets/pytorch/reader.h"

enum { MOST_MAJOR = 8 };

static void free_reader(struct pytorch_reader *reader)
{
    assembly_clear(&reader->assembly);
    pytorch_symbols_free(&reader->symbols);
    names_free(&reader->devices);
    memory_free(reader->is_state);
}

bool pytorch_is_program(const struct json_document *document)
{
    return json_tree_find(&document->tree, document->root, "graph_module") != NULL;
}

static enum status fail_signature(const struct pytorch_reader *reader,
                                  const struct json_value *place, const char *what)
{
    return json_document_fail(&reader->json, place,
                              "found another number of %s than the signature lists, expected one "
                              "for each",
                              what);
}

/* Lets each input stand for a weight or for a tensor of the graph, which goes into the list. */
static enum status add_inputs(struct pytorch_frame *frame, const struct json_value *specs,
                              struct assembly_list *tensors)
{
    struct pytorch_reader *reader = frame->reader;
    SCOPED(assembly_list_free) struct assembly_list found = {0};
    const struct json_value *spec = json_tree_first(specs);
    uint32_t index = 0;
    JSON_EACH(input, pytorch_get(reader, frame->graph, "inputs")) {
        const char *kind;
        const struct pytorch_tensor *tensor;
        if (!spec)
            return fail_signature(reader, input, "inputs");
        pytorch_chosen(&reader->json, spec, &kind);
        found.count = 0;
        TRY(pytorch_frame_tensors(frame, input, &found));
        bool is_weight = strcmp(kind, "parameter") == 0 || strcmp(kind, "buffer") == 0 ||
                         strcmp(kind, "tensor_constant") == 0;
        for (uint32_t i = 0; i < found.count; i++) {
            uint32_t name = found.item[i];
            if (is_weight && !reader->is_state[index]) {
                TRY(pytorch_frame_tensor(frame, name, &tensor));
                frame->value[name] = assembly_weight(&tensor->shape, index);
                continue;
            }
            TRY(pytorch_frame_define(frame, name));
            TRY(assembly_list_add(&reader->assembly, tensors, frame->value[name].tensor));
        }
        spec = json_tree_next(specs, spec);
        index++;
    }
    return spec ? fail_signature(reader, spec, "inputs") : STATUS_OK;
}

/* The symbols in the shapes of the inputs, those that are bound first. */
static enum status learn_symbols(struct pytorch_frame *frame)
{
    struct pytorch_reader *reader = frame->reader;
    SCOPED(assembly_list_free) struct assembly_list found = {0};
    SCOPED(names_free) struct names inputs = {0};
    TRY(pytorch_frame_tensors(frame, pytorch_get(reader, frame->graph, "inputs"), &found));
    for (int unbound = 0; unbound < 2; unbound++)
        for (uint32_t i = 0; i < found.count; i++) {
            const char *name = names_get(&frame->names, found.item[i]);
            const struct json_value *meta;
            if (!unbound)
                TRY(names_add(&inputs, name, reader->json.error));
            TRY(pytorch_frame_open_meta(frame, found.item[i], &meta));
            TRY(pytorch_symbols_learn(&reader->symbols, name, pytorch_get(reader, meta, "sizes"),
                                      !unbound));
            json_document_close_part(reader->document);
        }
    return bound_shapes_check(reader->symbols.options, &inputs, reader->json.error);
}

/* The outputs of the graph: those of the program, and the states, whose memory they keep for the
   next run. */
static enum status list_outputs(struct pytorch_frame *frame, const struct json_value *specs,
                                const struct assembly_list *states, struct assembly_list *outputs)
{
    struct pytorch_reader *reader = frame->reader;
    SCOPED(assembly_list_free) struct assembly_list found = {0};
    const struct json_value *spec = json_tree_first(specs);
    JSON_EACH(output, pytorch_get(reader, frame->graph, "outputs")) {
        if (!spec)
            return fail_signature(reader, output, "outputs");
        found.count = 0;
        TRY(pytorch_frame_tensors(frame, output, &found));
        for (uint32_t i = 0; i < found.count; i++) {
            struct assembly_value *value = &frame->value[found.item[i]];
            const char *name = names_get(&frame->names, found.item[i]);
            uint32_t tensor;
            TRY(json_document_place(&reader->json, output,
                                    assembly_tensor(&reader->assembly, value, name, &tensor)));
            TRY(assembly_list_add(&reader->assembly, outputs, tensor));
        }
        spec = json_tree_next(specs, spec);
    }
    for (uint32_t i = 0; i < states->count; i++)
        TRY(assembly_list_add(&reader->assembly, outputs, states->item[i]));
    return STATUS_OK;
}

/* What a specification is about: a buffer, a parameter or an input of the user. */
static const char *find_subject(const struct pytorch_reader *reader, const struct json_value *spec,
                                const char **kind)
{
    const struct json_value *value = pytorch_chosen(&reader->json, spec, kind), *argument;
    static const char *const keys[] = {"buffer_name", "parameter_name", "user_input_name"};
    for (int i = 0; i < 3; i++)
        if (*json_fields_word(&reader->json, value, keys[i]))
            return json_fields_word(&reader->json, value, keys[i]);
    value = pytorch_get(reader, value, "arg");
    argument = pytorch_chosen(&reader->json, value, &(const char *){NULL});
    return json_fields_word(&reader->json, argument, "name");
}

/* What a functional program copies back at its end, as its signature says. */
static enum status mark_mutated(struct pytorch_reader *reader, const struct json_value *inputs,
                                const struct json_value *outputs, size_t count)
{
    SCOPED(names_free) struct names mutated = {0};
    const char *kind;
    uint32_t index = 0;
    JSON_EACH(spec, outputs) {
        const char *name = find_subject(reader, spec, &kind);
        if (strstr(kind, "_mutation"))
            TRY(names_add(&mutated, name, reader->json.error));
    }
    JSON_EACH(spec, inputs) {
        const char *name = find_subject(reader, spec, &kind);
        if (index < count)
            reader->is_state[index++] = names_find(&mutated, name) != NAMES_NONE;
    }
    return STATUS_OK;
}

/* The inputs that are written into, at the end or on the way: their memory is needed throughout. */
static enum status list_states(const struct pytorch_frame *frame, struct assembly_list *states)
{
    struct pytorch_reader *reader = frame->reader;
    SCOPED(assembly_list_free) struct assembly_list found = {0};
    uint32_t index = 0;
    JSON_EACH(input, pytorch_get(reader, frame->graph, "inputs")) {
        found.count = 0;
        TRY(pytorch_frame_tensors(frame, input, &found));
        for (uint32_t i = 0; i < found.count; i++) {
            const struct assembly_value *value = &frame->value[found.item[i]];
            if (value->kind == ASSEMBLY_TENSOR &&
                (reader->is_state[index] ||
                 reader->assembly.place[value->tensor].writer != GRAPH_NONE))
                TRY(assembly_list_add(&reader->assembly, states, value->tensor));
        }
        index++;
    }
    return STATUS_OK;
}

static enum status build(struct pytorch_reader *reader, const struct json_value *graph,
                         const struct json_value *signature, struct graph **built)
{
    SCOPED(pytorch_frame_free) struct pytorch_frame frame = {0};
    SCOPED(assembly_list_free) struct assembly_list list = {0};
    SCOPED(assembly_list_free) struct assembly_list states = {0};
    struct error *error = reader->json.error;
    const struct json_value *inputs = pytorch_get(reader, signature, "input_specs");
    const struct json_value *outputs = pytorch_get(reader, signature, "output_specs");
    struct assembly *assembly = &reader->assembly;
    assembly_clear(assembly);
    reader->found_state = false;
    TRY(assembly_create_of_file(assembly, reader->json.document->file, error));
    TRY(pytorch_frame_open(reader, graph, &frame));
    TRY(learn_symbols(&frame));
    TRY(add_inputs(&frame, inputs, &list));
    TRY(graph_set_inputs(assembly->graph, list.item, list.count, error));
    TRY(pytorch_add_nodes(&frame));
    list.count = 0;
    TRY(list_states(&frame, &states));
    TRY(list_outputs(&frame, outputs, &states, &list));
    if (reader->found_state)
        return STATUS_OK;
    if (!assembly->graph->operators)
        return json_document_fail(&reader->json, graph,
                                  "found no operators, expected at least one");
    return json_document_place(
        &reader->json, graph, assembly_finish(assembly, &list, reader->json.document->file, built));
}

enum status pytorch_read_program(struct json_document *document,
                                 const struct model_options *options, struct graph **graph,
                                 struct error *error)
{
    SCOPED(free_reader)
    struct pytorch_reader reader = {.json = {document, error}, .document = document};
    const struct json_value *module = pytorch_get(&reader, document->root, "graph_module");
    const struct json_value *content = pytorch_get(&reader, module, "graph");
    const struct json_value *signature = pytorch_get(&reader, module, "signature");
    const struct json_value *version = pytorch_get(&reader, document->root, "schema_version");
    const struct json_value *major = pytorch_get(&reader, version, "major");
    major = major ? major : version;
    if (json_tree_is(major, JSON_INTEGER) && major->integer > MOST_MAJOR)
        return json_document_fail(&reader.json, major,
                                  "found version %llu of the schema, expected at most %d",
                                  (unsigned long long)major->integer, MOST_MAJOR);
    reader.symbols = (struct pytorch_symbols){
        .ranges = pytorch_get(&reader, document->root, "range_constraints"),
        .options = options,
        .json = &reader.json};
    TRY(pytorch_symbols_set(&reader.symbols));
    size_t inputs = json_tree_count(pytorch_get(&reader, content, "inputs"));
    TRY(memory_create(&reader.is_state, inputs + 1, sizeof(bool), error));
    TRY(mark_mutated(&reader, pytorch_get(&reader, signature, "input_specs"),
                     pytorch_get(&reader, signature, "output_specs"), inputs));
    do
        TRY(build(&reader, content, signature, graph));
    while (reader.found_state);
    return STATUS_OK;
}
