/* Options that apply to no instance of the command line are refused: those of .csv files, of ONNX
   models and of graphs. */

#include "cli/arguments/select.h"
#include "core/file_name.h"

static bool have_extension(const char *const *name, uint32_t names, const char *extension)
{
    uint32_t i = 0;
    while (i < names && !file_name_has_extension(name[i], extension))
        i++;
    return i < names;
}

enum status select_file_options(const struct arguments *arguments, const char *const *name,
                                uint32_t names, struct error *error)
{
    const struct {
        const char *option, *extension;
        bool given;
    } options[] = {{"dialect", ".csv", arguments->dialect},
                   {"lifetimes", ".csv", arguments->lifetimes},
                   {"bind", ".onnx", arguments->binds},
                   {"assume-dim", ".onnx", arguments->assume_dimension}};
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && !have_extension(name, names, options[i].extension))
            return error_set(error, STATUS_USAGE, "--%s, but no instance is a %s file",
                             options[i].option, options[i].extension);
    return STATUS_OK;
}

enum status select_graph_options(const struct arguments *arguments,
                                 struct instance *const *instance, uint32_t instances,
                                 struct error *error)
{
    const char *option = arguments->inplace    ? "inplace"
                         : arguments->policies ? "policy"
                         : arguments->orders   ? "order"
                                               : NULL;
    bool have_graph = false;
    for (uint32_t i = 0; i < instances; i++)
        have_graph |= instance[i]->graph != NULL;
    if (!option || have_graph)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "--%s, but no instance is a graph: '%s' is a problem",
                     option, instance[0]->name);
}
