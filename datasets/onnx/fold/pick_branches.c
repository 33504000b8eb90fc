#include "datasets/onnx/fold/rows.h"

#include <string.h>

#include "core/memory.h"

struct picker {
    struct onnx_model *model;
    char **renamed; /* [names.count] the new name of a value, NULL where it keeps its name */
    bool picked;
};

static const Onnx__GraphProto *find_taken(const struct onnx_model *model,
                                          const Onnx__NodeProto *node)
{
    const struct onnx_value *value = onnx_model_find(model, onnx_node_input(node, 0));
    int64_t condition;
    if (!onnx_node_is(node, "If") || !value || !onnx_number_scalar(value->number, &condition))
        return NULL;
    return onnx_node_graph(node, condition ? "then_branch" : "else_branch");
}

/* A list of messages as protobuf-c keeps it: a pointer to each. */
struct messages {
    const void *first;
    size_t count;
};

/* The list with `removed` messages from `index` on replaced by others; NULL for lack of memory. */
static void *splice(struct onnx_memory *memory, struct messages list, size_t index, size_t removed,
                    struct messages others)
{
    size_t behind = list.count - index - removed;
    void **spliced =
        onnx_memory_allocate(memory, (index + others.count + behind) * sizeof *spliced);
    void *const *old = list.first;
    if (!spliced)
        return NULL;
    if (index)
        memcpy(spliced, old, index * sizeof *spliced);
    if (others.count)
        memcpy(spliced + index, others.first, others.count * sizeof *spliced);
    if (behind)
        memcpy(spliced + index + others.count, old + index + removed, behind * sizeof *spliced);
    return spliced;
}

/* The list with all of the others appended. */
static void *append(struct onnx_memory *memory, struct messages list, struct messages others)
{
    return splice(memory, list, list.count, 0, others);
}

static char *follow(const struct picker *picker, char *name)
{
    uint32_t index = names_find(&picker->model->names, name);
    while (index != NAMES_NONE && picker->renamed[index]) {
        name = picker->renamed[index];
        index = names_find(&picker->model->names, name);
    }
    return name;
}

static bool writes(const Onnx__GraphProto *graph, const char *name)
{
    for (size_t i = 0; i < graph->n_node; i++)
        for (size_t j = 0; j < graph->node[i]->n_output; j++)
            if (strcmp(graph->node[i]->output[j], name) == 0)
                return true;
    return false;
}

/* Puts a branch in the place of its If. What the branch yields is called as the If's output was, or
   the other way round where the branch only passes on a value of the graph around it. */
static enum status pick_branch(struct picker *picker, Onnx__GraphProto *graph, size_t index,
                               const Onnx__GraphProto *taken)
{
    struct onnx_memory *memory = &picker->model->memory;
    const Onnx__NodeProto *node = graph->node[index];
    for (size_t i = 0; i < node->n_output && i < taken->n_output; i++) {
        if (!*node->output[i])
            continue;
        char *yield = follow(picker, taken->output[i]->name);
        char *output = follow(picker, node->output[i]);
        bool own = yield == taken->output[i]->name && writes(taken, yield);
        char *from = own ? yield : output, *to = own ? output : yield;
        if (strcmp(from, to) != 0)
            picker->renamed[names_find(&picker->model->names, from)] = to;
    }
    graph->initializer = append(memory, (struct messages){graph->initializer, graph->n_initializer},
                                (struct messages){taken->initializer, taken->n_initializer});
    graph->n_initializer += taken->n_initializer;
    graph->sparse_initializer =
        append(memory, (struct messages){graph->sparse_initializer, graph->n_sparse_initializer},
               (struct messages){taken->sparse_initializer, taken->n_sparse_initializer});
    graph->n_sparse_initializer += taken->n_sparse_initializer;
    graph->node = splice(memory, (struct messages){graph->node, graph->n_node}, index, 1,
                         (struct messages){taken->node, taken->n_node});
    graph->n_node += taken->n_node - 1;
    picker->picked = true;
    return memory->failed ? error_no_memory(picker->model->error) : STATUS_OK;
}

/* Replaces the Ifs of a graph. What replaces an If is searched too, since it may hold further
   Ifs. */
static enum status pick_in_graph(struct picker *picker, Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_node; i++) {
        const Onnx__GraphProto *taken = find_taken(picker->model, graph->node[i]);
        while (taken) {
            TRY(pick_branch(picker, graph, i, taken));
            taken = i < graph->n_node ? find_taken(picker->model, graph->node[i]) : NULL;
        }
        for (size_t j = 0; i < graph->n_node && j < graph->node[i]->n_attribute; j++)
            if (graph->node[i]->attribute[j]->g)
                TRY(pick_in_graph(picker, graph->node[i]->attribute[j]->g));
    }
    return STATUS_OK;
}

static void rename_all(const struct picker *picker, char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        names[i] = follow(picker, names[i]);
}

static void rename_graph(const struct picker *picker, Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_node; i++) {
        Onnx__NodeProto *node = graph->node[i];
        rename_all(picker, node->input, node->n_input);
        rename_all(picker, node->output, node->n_output);
        for (size_t j = 0; j < node->n_attribute; j++)
            if (node->attribute[j]->g)
                rename_graph(picker, node->attribute[j]->g);
    }
    for (size_t i = 0; i < graph->n_output; i++)
        rename_all(picker, &graph->output[i]->name, 1);
}

enum status onnx_pick_branches(struct onnx_model *model)
{
    SCOPED(memory_release) char **renamed = NULL;
    TRY(memory_create(&renamed, model->names.count, sizeof *renamed, model->error));
    struct picker picker = {.model = model, .renamed = renamed};
    TRY(pick_in_graph(&picker, model->proto->graph));
    if (picker.picked)
        rename_graph(&picker, model->proto->graph);
    return STATUS_OK;
}
