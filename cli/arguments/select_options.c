#include "cli/arguments/select.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "datasets/file_formats.h"
#include "planning/inplace/types.h"

/* Folders, pipes and terminals hold nothing that writing would destroy. */
static bool is_same_file(const char *left, const char *right)
{
    struct stat one, other;
    return stat(left, &one) == 0 && S_ISREG(one.st_mode) && stat(right, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static enum status check_pair(const char *input, const char *output, struct error *error)
{
    if (!input || input == output || !is_same_file(input, output))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "output '%s' is the file '%s' that is read", output,
                     input);
}

enum status select_output(const struct arguments *arguments, const char *output,
                          struct error *error)
{
    if (!output)
        return STATUS_OK;
    for (uint32_t i = 0; i < arguments->operands; i++)
        TRY(check_pair(arguments->operand[i], output, error));
    TRY(check_pair(arguments->weights, output, error));
    TRY(check_pair(arguments->hardware, output, error));
    TRY(check_pair(arguments->memories, output, error));
    return check_pair(arguments->database, output, error);
}

/* Orders of operators by their names on the command line. */

enum status select_orders(const struct registry *registry, const char *list,
                          struct order_list *orders, struct error *error)
{
    orders->text = memory_copy_text(list);
    if (!orders->text)
        return error_no_memory(error);
    for (char *at = orders->text, *next; at; at = next) {
        next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        for (uint32_t i = 0; i < orders->count; i++)
            if (strcmp(orders->row[i]->name, at) == 0)
                return error_set(error, STATUS_USAGE, "order '%s' is named twice", at);
        TRY(memory_reserve(&orders->row, &orders->capacity, (size_t)orders->count + 1,
                           sizeof *orders->row, error));
        TRY(registry_configure_order(registry, at, &orders->row[orders->count], error));
        orders->count++;
    }
    return STATUS_OK;
}

void order_list_clear(struct order_list *orders)
{
    for (uint32_t i = 0; i < orders->count; i++)
        order_free(orders->row[i]);
    memory_free_all(orders->row, orders->text);
    *orders = (struct order_list){0};
}

/* Options that apply to no instance of the command line are refused: those of .csv files, of models
   with open shapes and of graphs. */

/* The files that an option is for, for messages and by their extensions; models may also be known
   by their content. */
static const struct kind {
    const char *label, *extension[5];
} tables = {".csv file", {".csv"}},
  models = {".onnx, .ort, .xml or .pt2 file", {".onnx", ".ort", ".xml", ".pt2"}};

static bool have_extension(const char *const *name, uint32_t names, const struct kind *kind)
{
    for (const char *const *extension = kind->extension; *extension; extension++)
        for (uint32_t i = 0; i < names; i++)
            if (strncmp(file_name_extension(name[i]), *extension + 1, strlen(*extension + 1)) == 0)
                return true;
    return false;
}

/* Whether one of the names is a file that only its content can tell the format of. */
static bool have_unknown(const char *const *name, uint32_t names)
{
    for (uint32_t i = 0; i < names; i++) {
        const struct file_format *row;
        struct stat found;
        uint32_t f = 0;
        while ((row = file_format_at(f)) &&
               strcmp(row->extension, file_name_extension(name[i])) != 0)
            f++;
        if (!row && stat(name[i], &found) == 0 && S_ISREG(found.st_mode))
            return true;
    }
    return false;
}

bool select_has_ranges(const char *name)
{
    return file_name_has_extension(name, ".onnx") || file_name_has_extension(name, ".ort") ||
           file_name_has_extension(name, ".tflite") || file_name_has_extension(name, ".pt2") ||
           strncmp(name, "zoo/", 4) == 0 || strncmp(name, "wired/", 6) == 0;
}

enum status select_file_options(const struct arguments *arguments, const char *const *name,
                                uint32_t names, struct error *error)
{
    const struct {
        const char *option;
        const struct kind *kind;
        bool given;
    } options[] = {{"dialect", &tables, arguments->dialect || arguments->lifetimes},
                   {"bind", &models, arguments->bind.count},
                   {"assume-dim", &models, arguments->assume_dimension}};
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && !have_extension(name, names, options[i].kind) &&
            (options[i].kind == &tables || !have_unknown(name, names)))
            return error_set(error, STATUS_USAGE, "--%s, but no instance is a %s",
                             options[i].option, options[i].kind->label);
    uint32_t i = 0;
    while (i < names && arguments->range.count && !select_has_ranges(name[i]))
        i++;
    if (i < names || !arguments->range.count)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "found --range for '%s', expected a model (.onnx, .ort, .tflite, .pt2) or a "
                     "network of the zoo",
                     name[0]);
}

enum status select_graph_options(const struct arguments *arguments,
                                 struct instance *const *instance, uint32_t instances,
                                 struct error *error)
{
    const char *option = arguments->inplace    ? "inplace"
                         : arguments->policies ? "policy"
                         : arguments->orders   ? "order"
                         : arguments->pin_io   ? "pin-io"
                                               : NULL;
    bool have_graph = false;
    for (uint32_t i = 0; i < instances; i++)
        have_graph |= instance[i]->graph != NULL;
    if (!option || have_graph)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "--%s, but no instance is a graph: '%s' is a problem",
                     option, instance[0]->name);
}

/* A name that should be a type of operators, and the type that is most similar to it. */
struct guess {
    const char *name;
    size_t length;
    char plain[TEXT_MOST_COMPARED];
    bool known;
    const char *nearest;
    unsigned distance;
};

/* Lower case without underlines, as types are compared; cut where it is too long. */
static void make_plain(const char *name, size_t length, char plain[TEXT_MOST_COMPARED])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < TEXT_MOST_COMPARED; i++)
        if (name[i] != '_')
            plain[used++] = (char)tolower((unsigned char)name[i]);
    plain[used] = '\0';
}

static void offer_type(struct guess *guess, const char *type)
{
    char plain[TEXT_MOST_COMPARED];
    make_plain(type, strlen(type), plain);
    unsigned distance = text_distance(guess->plain, plain);
    guess->known |= inplace_type_is(type, guess->name, guess->length);
    if (!guess->nearest || distance < guess->distance) {
        guess->nearest = type;
        guess->distance = distance;
    }
}

static enum status check_type(const char *name, size_t length, struct instance *const *instance,
                              uint32_t instances, struct error *error)
{
    struct guess guess = {.name = name, .length = length};
    make_plain(name, length, guess.plain);
    for (uint32_t i = 0; i < instances; i++) {
        const struct graph *graph = instance[i]->graph;
        for (uint32_t o = 0; graph && o < graph->operators; o++)
            offer_type(&guess, graph_label(graph, graph->op[o].type));
    }
    for (uint32_t i = 0; i < inplace_types_count(); i++)
        offer_type(&guess, inplace_types_at(i)->name);
    offer_type(&guess, INPLACE_TYPE_ASSIGN);
    if (guess.known)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--disable-inplace: no operator is of type '%.*s', the nearest is '%s'",
                     (int)length, name, guess.nearest);
}

enum status select_inplace_types(const struct inplace_choice *choice,
                                 struct instance *const *instance, uint32_t instances,
                                 struct error *error)
{
    const char *at = choice->disabled;
    while (at) {
        size_t length = strcspn(at, ",");
        TRY(check_type(at, length, instance, instances, error));
        at = at[length] ? at + length + 1 : NULL;
    }
    return STATUS_OK;
}
