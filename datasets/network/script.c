#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/names.h"
#include "datasets/network/layer.h"
#include "datasets/side_by_side/assign_streams.h"
#include "planning/graph/build.h"

/* Runs the text of a network, see README.md. A line is run in three steps: what stands in braces is
   put in, the line is cut into words, and the first word says what to do. */

enum {
    MOST_LINE_BYTES = 1024,
    MOST_WORDS = 64,
    MOST_VARIABLES = 16,
    MOST_BLOCK_INPUTS = 4,
    MOST_OPEN_LOOPS = 4,
    MOST_CARRIED = 12,
    MOST_DEPTH = 16,
};

/* A block that runs, or the network: its parameters, the numbers of its loops, its inputs. */
struct frame {
    struct {
        const char *name, *value;
    } variable[MOST_VARIABLES];
    uint32_t variables;
    uint32_t input[MOST_BLOCK_INPUTS], inputs;
    unsigned depth; /* of calls */
};

struct open_loop {
    char label[64];
    uint32_t op, turns, values;
    uint32_t name[MOST_CARRIED]; /* [values] of each carried value, an index of names */
    uint32_t result[MOST_CARRIED];
};

struct script {
    struct network *network;
    struct frame *frame; /* of the line that runs */
    char *text;          /* lines that end in zeros */
    char **line;         /* [lines] without the blanks before them */
    uint32_t lines, at;  /* at: the line that runs, from 1 */
    size_t line_capacity;
    struct names names; /* of layers and of what `set` named */
    uint32_t *tensor;   /* [names] that each stands for now */
    size_t tensor_capacity;
    uint32_t last; /* the tensor that the last layer gave */
    struct open_loop loop[MOST_OPEN_LOOPS];
    uint32_t loops;
};

struct words {
    char *word[MOST_WORDS];
    uint32_t count;
};

static void fail(struct script *script, const char *what, const char *found)
{
    network_fail(script->network, "line %u of the network's text: %s '%s'", script->at, what,
                 found);
}

/* Cuts a line at its blanks. What is in `input` are the words behind "<". */
static struct words cut(struct script *script, char *line, struct words *input)
{
    struct words words = {.count = 0}, *filled = &words;
    char *rest = NULL;
    input->count = MOST_WORDS; /* no "<" */
    for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (strcmp(word, "<") == 0) {
            filled = input;
            input->count = 0;
        } else if (filled->count == MOST_WORDS) {
            fail(script, "no room for", word);
        } else {
            filled->word[filled->count++] = word;
        }
    }
    return words;
}

/* Names of tensors. */

static uint32_t find_tensor(struct script *script, const char *name)
{
    const struct frame *frame = script->frame;
    if (strcmp(name, "last") == 0)
        return script->last;
    if (name[0] == 'i' && name[1] == 'n' &&
        (!name[2] || (isdigit((unsigned char)name[2]) && !name[3]))) {
        uint32_t input = name[2] ? (uint32_t)(name[2] - '1') : 0;
        if (input < frame->inputs)
            return frame->input[input];
    }
    uint32_t index = names_find(&script->names, name);
    if (index != NAMES_NONE)
        return script->tensor[index];
    fail(script, "no tensor", name);
    return 0;
}

/* What stands in braces: the value of a variable, or numbers, variables and the heights of tensors
   joined by + - * / << > and =. */

static const char *find_variable(const struct frame *frame, const char *name, size_t length)
{
    for (uint32_t i = frame->variables; i-- > 0;)
        if (strlen(frame->variable[i].name) == length &&
            memcmp(frame->variable[i].name, name, length) == 0)
            return frame->variable[i].value;
    return NULL;
}

static int64_t read_operand(struct script *script, const char **at)
{
    size_t length = 0;
    while (isalnum((unsigned char)(*at)[length]) || (*at)[length] == '_')
        length++;
    const char *value = find_variable(script->frame, *at, length);
    int64_t number = strtoll(value ? value : *at, NULL, 10);
    if (strncmp(*at + length, ".height", 7) == 0) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, *at);
        uint32_t tensor = find_tensor(script, name);
        number = script->network->status ? 0 : (int64_t)network_shape(script->network, tensor)[1];
        length += 7;
    } else if (!value && !isdigit((unsigned char)**at)) {
        fail(script, "no variable", *at);
    }
    *at += length;
    return number;
}

static int64_t read_product(struct script *script, const char **at)
{
    int64_t product = read_operand(script, at);
    while (**at == '*' || **at == '/' || **at == '<') {
        char joined_by = **at;
        *at += joined_by == '<' ? 2 : 1;
        int64_t factor = read_operand(script, at);
        if (joined_by == '*')
            product *= factor;
        else if (joined_by == '/')
            product /= factor ? factor : 1;
        else
            product <<= factor;
    }
    return product;
}

static int64_t evaluate(struct script *script, const char *at)
{
    int64_t value = read_product(script, &at);
    while (*at && strchr("+-=>", *at)) {
        char joined_by = *at++;
        int64_t other = read_product(script, &at);
        if (joined_by == '>')
            value = value > other;
        else if (joined_by == '=')
            value = value == other;
        else
            value += joined_by == '+' ? other : -other;
    }
    if (*at != '}')
        fail(script, "not understood:", at);
    return value;
}

static void expand(struct script *script, const char *line, char expanded[MOST_LINE_BYTES])
{
    size_t used = 0;
    while (*line && used + 24 < MOST_LINE_BYTES) {
        if (*line != '{') {
            expanded[used++] = *line++;
            continue;
        }
        size_t length = strcspn(++line, "}"), room = MOST_LINE_BYTES - used;
        const char *value = find_variable(script->frame, line, length);
        int written = value ? snprintf(expanded + used, room, "%s", value)
                            : snprintf(expanded + used, room, "%" PRId64, evaluate(script, line));
        used += (size_t)written;
        line += length + (line[length] == '}');
    }
    if (*line)
        fail(script, "a line is too long:", line);
    expanded[used < MOST_LINE_BYTES ? used : MOST_LINE_BYTES - 1] = '\0';
}

/* Lets a name stand for a tensor from now on, and returns the name's index. */
static uint32_t set_tensor(struct script *script, const char *name, uint32_t tensor)
{
    struct network *network = script->network;
    uint32_t index = names_find(&script->names, name);
    if (network->status)
        return 0;
    if (index == NAMES_NONE) {
        index = script->names.count;
        if (!network_keep(network, memory_reserve(&script->tensor, &script->tensor_capacity,
                                                  (size_t)index + 1, sizeof *script->tensor,
                                                  &network->error)) ||
            !network_keep(network, names_add(&script->names, name, &network->error)))
            return 0;
    }
    script->tensor[index] = tensor;
    return index;
}

static void list_tensor(struct script *script, uint32_t tensor, uint32_t *list, uint32_t *count)
{
    if (*count == NETWORK_MOST_INPUTS)
        fail(script, "too many tensors", "<");
    else
        list[(*count)++] = tensor;
}

/* Fills list[NETWORK_MOST_INPUTS] with the tensors of words from `first` on. NAME*REST stands for
   the tensors whose names have 0 (or 1), 1, 2 and so on there, up to the first that is missing. */
static uint32_t find_tensors(struct script *script, const struct words *words, uint32_t first,
                             uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = first; i < words->count; i++) {
        const char *word = words->word[i], *star = strchr(word, '*');
        if (!star)
            list_tensor(script, find_tensor(script, word), list, &count);
        for (uint32_t number = 0; star && !script->network->status; number++) {
            char name[128];
            snprintf(name, sizeof name, "%.*s%u%s", (int)(star - word), word, number, star + 1);
            uint32_t index = names_find(&script->names, name);
            if (index != NAMES_NONE)
                list_tensor(script, script->tensor[index], list, &count);
            else if (number)
                break;
        }
    }
    return count;
}

/* Layers. */

static struct network_size read_size(struct script *script, const char *word)
{
    struct network_size size = {.stride = 1, .dilation = 1};
    char *end;
    size.height = size.width = (uint32_t)strtoul(word, &end, 10);
    if (*end == 'x')
        size.width = (uint32_t)strtoul(end + 1, &end, 10);
    if (*end == '/')
        size.stride = (uint32_t)strtoul(end + 1, &end, 10);
    if (*end == '*')
        size.dilation = (uint32_t)strtoul(end + 1, &end, 10);
    if (*end)
        fail(script, "no size", word);
    return size;
}

static void read_word(struct script *script, struct network_line *line, const char *word)
{
    enum network_activation activation = network_activation_find(word);
    const char *value = strchr(word, '=');
    uint32_t number = value ? (uint32_t)strtoul(value + 1, NULL, 10) : 0;
    if (isdigit((unsigned char)*word) && line->sizes < NETWORK_MOST_SIZES) {
        line->size[line->sizes++] = read_size(script, word);
    } else if (strncmp(word, "pad=", 4) == 0) {
        line->padding = NETWORK_PADDED;
        line->pad = number;
    } else if (strncmp(word, "as=", 3) == 0 && number) {
        line->like = number;
    } else if (strncmp(word, "times=", 6) == 0) {
        line->times = number;
    } else if (strncmp(word, "weights_of=", 11) == 0) {
        line->weights_of = value + 1;
    } else if (value) {
        fail(script, "no setting", word);
    } else if (activation < NETWORK_ACTIVATIONS) {
        line->activation = activation;
    } else if (strcmp(word, "valid") == 0) {
        line->padding = NETWORK_VALID;
    } else if (strcmp(word, "ceil") == 0) {
        line->padding = NETWORK_CEIL;
    } else if (strcmp(word, "bias") == 0) {
        line->shift = NETWORK_BIAS;
    } else if (strcmp(word, "plain") == 0) {
        line->shift = NETWORK_PLAIN;
    } else if (strcmp(word, "index") == 0) {
        line->kind |= NETWORK_INDEX;
    } else if (strcmp(word, "off_chip") == 0) {
        line->kind |= NETWORK_EXTERNAL;
    } else if (strcmp(word, "inplace") == 0) {
        line->inplace = true;
    } else if (!line->type) {
        line->type = word;
    } else {
        fail(script, "not understood:", word);
    }
}

/* NAME: LAYER WORDS < INPUTS; without "<" the input is what the last layer gave. */
static void add_layer(struct script *script, const struct words *words, const struct words *input)
{
    static const struct network_layer_kind *const tables[] = {
        network_window_layers, network_element_layers, network_shape_layers,
        network_sequence_layers};
    struct network_line line = {.name = words->word[0], .like = 1, .times = 1};
    const struct network_layer_kind *kind = NULL;
    words->word[0][strlen(words->word[0]) - 1] = '\0';
    for (size_t i = 0; i < sizeof tables / sizeof *tables && words->count > 1; i++)
        for (const struct network_layer_kind *at = tables[i]; at->name && !kind; at++)
            if (strcmp(at->name, words->word[1]) == 0)
                kind = at;
    if (!kind) {
        fail(script, "no such layer:", line.name);
        return;
    }
    line.type = kind->type;
    for (uint32_t i = 2; i < words->count && !script->network->status; i++)
        read_word(script, &line, words->word[i]);
    if (input->count < MOST_WORDS) {
        line.inputs = find_tensors(script, input, 0, line.input);
    } else if (kind->inputs) {
        line.input[0] = script->last;
        line.inputs = 1;
    }
    bool fits = kind->inputs == NETWORK_ANY_INPUTS || kind->inputs == line.inputs ||
                (kind->inputs == NETWORK_SOME_INPUTS && line.inputs);
    if (!line.type || !fits)
        fail(script, "not enough or too much of", line.name);
    if (script->network->status)
        return;
    script->last = network_line_add(script->network, kind, &line);
    set_tensor(script, line.name, script->last);
}

/* Directives: what they do with words[1], words[2] ... */

/* Branches and loops: layers between open and close run inside. */

static void begin_region(struct network *network, const char *name, double probability)
{
    if (!network->status)
        network_keep(network,
                     graph_open_region(network->graph, name, probability, &network->error));
}

static void end_region(struct network *network, const uint32_t *yields, uint32_t count)
{
    if (!network->status)
        network_keep(network, graph_close_region(network->graph, yields, count, &network->error));
}

/* Adds a tensor of the same shape as another one under a new name. */
static uint32_t add_like(struct network *network, const char *name, const char *kind,
                         uint32_t number, uint32_t like)
{
    char text[128];
    if (network->status)
        return 0;
    const struct graph_tensor copied = network->graph->tensor[like];
    uint32_t added = 0;
    const struct graph_tensor_spec spec = {.name = text,
                                           .has_shape = true,
                                           .dtype = copied.dtype,
                                           .dimensions = copied.dimension,
                                           .rank = copied.rank};
    snprintf(text, sizeof text, "%s.%s%u", name, kind, number);
    network_keep(network, graph_add_tensor(network->graph, &spec, &added, &network->error));
    return added;
}

static void close_operator(struct network *network, const uint32_t *output, uint32_t count)
{
    if (!network->status && network_keep(network, graph_operator_outputs(network->graph, output,
                                                                         count, &network->error)))
        graph_close_operator(network->graph);
}

/* set NAME [TENSOR] */
static void set(struct script *script, const struct words *words)
{
    uint32_t tensor = words->count > 2 ? find_tensor(script, words->word[2]) : script->last;
    if (strcmp(words->word[1], "last") == 0)
        script->last = tensor;
    else
        set_tensor(script, words->word[1], tensor);
}

/* output TENSOR... */
static void output(struct script *script, const struct words *words)
{
    uint32_t tensor[NETWORK_MOST_INPUTS], count = find_tensors(script, words, 1, tensor);
    for (uint32_t i = 0; i < count; i++)
        network_output(script->network, tensor[i]);
}

/* branches NAME TYPE [CONDITION] */
static void open_branches(struct script *script, const struct words *words)
{
    struct network *network = script->network;
    const char *type = words->count > 2 ? words->word[2] : "";
    uint32_t condition = words->count > 3 ? find_tensor(script, words->word[3]) : script->last;
    uint32_t added;
    if (!network->status &&
        network_keep(network, graph_open_operator(network->graph, words->word[1], type, &added,
                                                  &network->error)))
        network_keep(network,
                     graph_operator_inputs(network->graph, &condition, 1, &network->error));
}

/* region NAME [PROBABILITY] */
static void open_region(struct script *script, const struct words *words)
{
    begin_region(script->network, words->word[1],
                 words->count > 2 ? strtod(words->word[2], NULL) : -1);
}

/* yield TENSOR... */
static void close_region(struct script *script, const struct words *words)
{
    uint32_t tensor[NETWORK_MOST_INPUTS], count = find_tensors(script, words, 1, tensor);
    end_region(script->network, tensor, count);
}

/* join NAME OUTPUT...: what each output is called, which is as large as what the first region
   yields; the first is the last tensor then. */
static void close_branches(struct script *script, const struct words *words)
{
    struct network *network = script->network;
    const struct graph *graph = network->graph;
    uint32_t output[MOST_WORDS] = {0}, count = words->count - 2;
    if (!network->status) {
        uint32_t first = graph->op[graph->building->open_operator].first_region;
        for (uint32_t i = 0; i < count; i++)
            output[i] = add_like(network, words->word[1], "out", i,
                                 graph->list[graph->region[first].yields.first + i]);
        close_operator(network, output, count);
    }
    for (uint32_t i = 0; i < count; i++)
        set_tensor(script, words->word[2 + i], output[i]);
    script->last = output[0];
}

/* loop NAME TURNS CARRIED...: each carried name stands for what goes in, from here on for what the
   turn starts with, and behind the loop for what the last turn left. */
static void open_loop(struct script *script, const struct words *words)
{
    struct network *network = script->network;
    struct graph *graph = network->graph;
    uint32_t value[MOST_CARRIED];
    if (words->count < 3 || words->count - 3 > MOST_CARRIED || script->loops == MOST_OPEN_LOOPS) {
        fail(script, "not enough or too much of", words->word[1]);
        return;
    }
    struct open_loop *loop = &script->loop[script->loops++];
    *loop = (struct open_loop){.turns = (uint32_t)strtoul(words->word[2], NULL, 10),
                               .values = words->count - 3};
    snprintf(loop->label, sizeof loop->label, "%s", words->word[1]);
    for (uint32_t i = 0; i < loop->values; i++) {
        value[i] = find_tensor(script, words->word[3 + i]);
        loop->name[i] = set_tensor(script, words->word[3 + i], value[i]);
    }
    if (network->status || !network_keep(network, graph_open_operator(graph, loop->label, "Loop",
                                                                      &loop->op, &network->error)))
        return;
    graph->op[loop->op].loop = true;
    graph->op[loop->op].trip_count = loop->turns;
    for (uint32_t i = 0; i < loop->values && !network->status; i++) {
        /* What it yields is known only when the loop is closed. */
        struct graph_carried carried = {.init = value[i], .yield = value[i]};
        carried.argument = add_like(network, loop->label, "carried", i, value[i]);
        carried.result = add_like(network, loop->label, "out", i, value[i]);
        loop->result[i] = carried.result;
        script->tensor[loop->name[i]] = carried.argument;
        if (!network->status)
            network_keep(network, graph_operator_carried(graph, &carried, &network->error));
    }
    begin_region(network, "body", -1);
}

/* next [EACH]: the next turn starts with what the carried names stand for now. The last tensor is
   then what every turn gave as EACH, [batch, features], side by side: [batch, turns, features]. */
static void close_loop(struct script *script, const struct words *words)
{
    struct network *network = script->network;
    struct graph *graph = network->graph;
    bool gathers = words->count > 1;
    if (!script->loops) {
        fail(script, "no loop is open at", words->word[0]);
        return;
    }
    uint32_t each = gathers ? find_tensor(script, words->word[1]) : 0;
    const struct open_loop *loop = &script->loop[--script->loops];
    end_region(network, &each, gathers);
    if (network->status)
        return;
    uint32_t outputs[MOST_CARRIED + 1], count = loop->values;
    for (uint32_t i = 0; i < loop->values; i++) {
        uint32_t *tensor = &script->tensor[loop->name[i]];
        graph->carried[graph->op[loop->op].carried.first + i].yield = *tensor;
        outputs[i] = *tensor = loop->result[i];
    }
    if (gathers) {
        char name[128];
        const uint64_t dimension[] = {network_shape(network, each)[0], loop->turns,
                                      network_channels(network, each)};
        snprintf(name, sizeof name, "%s.series", loop->label);
        outputs[count++] = script->last = network_tensor(network, name, dimension, 3, 0);
    }
    close_operator(network, outputs, count);
}

static const struct directive {
    const char *name;
    void (*run)(struct script *script, const struct words *words);
    uint32_t words; /* at least, with its name */
} directives[] = {
    {"set", set, 2},
    {"output", output, 2},
    {"branches", open_branches, 3},
    {"region", open_region, 2},
    {"yield", close_region, 1},
    {"join", close_branches, 3},
    {"loop", open_loop, 3},
    {"next", close_loop, 1},
};
enum { DIRECTIVES = sizeof directives / sizeof *directives };

/* Blocks. */

static bool starts(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == ' ' || !line[length]);
}

/* The line of the "end" that belongs to line `from`. */
static uint32_t find_end(const struct script *script, uint32_t from)
{
    uint32_t depth = 0;
    for (uint32_t i = from; i < script->lines; i++) {
        const char *line = script->line[i];
        depth += starts(line, "block") || starts(line, "network") || starts(line, "repeat");
        if (strcmp(line, "end") == 0 && --depth == 0)
            return i;
    }
    return script->lines;
}

/* The line of the block or network of that name, and its words; lines where there is none. */
static uint32_t find_block(struct script *script, const char *kind, const char *name,
                           char header[MOST_LINE_BYTES], struct words *words)
{
    for (uint32_t i = 0; i < script->lines; i++) {
        struct words none;
        if (!starts(script->line[i], kind))
            continue;
        snprintf(header, MOST_LINE_BYTES, "%s", script->line[i]);
        *words = cut(script, header, &none);
        if (words->count > 1 && strcmp(words->word[1], name) == 0)
            return i;
    }
    return script->lines;
}

static void run(struct script *script, uint32_t from, uint32_t to);

/* BLOCK ARGUMENTS < INPUTS */
static void call(struct script *script, const struct words *words, const struct words *input)
{
    char header[MOST_LINE_BYTES];
    struct words parameters;
    struct frame *caller = script->frame;
    struct frame called = {.depth = caller->depth + 1, .inputs = 1, .input = {script->last}};
    uint32_t at = find_block(script, "block", words->word[0], header, &parameters);
    if (at == script->lines || parameters.count != words->count + 1 ||
        words->count > MOST_VARIABLES || called.depth > MOST_DEPTH ||
        (input->count > MOST_BLOCK_INPUTS && input->count < MOST_WORDS)) {
        fail(script, "no block with these arguments:", words->word[0]);
        return;
    }
    for (uint32_t i = 1; i < words->count; i++) {
        called.variable[called.variables].name = parameters.word[i + 1];
        called.variable[called.variables++].value =
            strcmp(words->word[i], "''") == 0 ? "" : words->word[i];
    }
    if (input->count < MOST_WORDS)
        called.inputs = find_tensors(script, input, 0, called.input);
    if (called.inputs)
        script->last = called.input[0];
    script->frame = &called;
    run(script, at + 1, find_end(script, at));
    script->frame = caller;
}

/* repeat VARIABLE FROM TO, the lines up to `end` for each number. */
static void repeat(struct script *script, const struct words *words, uint32_t from, uint32_t to)
{
    struct frame *frame = script->frame;
    char number[24];
    if (words->count != 4 || frame->variables == MOST_VARIABLES) {
        fail(script, "not enough or too much of", "repeat");
        return;
    }
    frame->variable[frame->variables].name = words->word[1];
    frame->variable[frame->variables++].value = number;
    int64_t last = strtoll(words->word[3], NULL, 10);
    for (int64_t i = strtoll(words->word[2], NULL, 10); i <= last && !script->network->status;
         i++) {
        snprintf(number, sizeof number, "%" PRId64, i);
        run(script, from, to);
    }
    frame->variables--;
}

static void run(struct script *script, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to && !script->network->status; i++) {
        char line[MOST_LINE_BYTES];
        struct words input;
        script->at = i + 1;
        expand(script, script->line[i], line);
        struct words words = cut(script, line, &input);
        if (words.count > 1 && strcmp(words.word[0], "if") == 0) {
            if (strcmp(words.word[1], "0") == 0)
                continue;
            words.count -= 2;
            memmove(words.word, words.word + 2, words.count * sizeof *words.word);
        }
        if (!words.count)
            continue;
        const char *first = words.word[0];
        const struct directive *directive = directives, *end = directives + DIRECTIVES;
        while (directive < end && strcmp(directive->name, first) != 0)
            directive++;
        if (strcmp(first, "repeat") == 0) {
            uint32_t last = find_end(script, i);
            repeat(script, &words, i + 1, last);
            i = last;
        } else if (first[strlen(first) - 1] == ':') {
            add_layer(script, &words, &input);
        } else if (directive == end) {
            call(script, &words, &input);
        } else if (words.count < directive->words) {
            fail(script, "not enough of", first);
        } else {
            directive->run(script, &words);
        }
    }
}

/* network NAME [sequence=LENGTH [most=LENGTH]] */
static void run_network(struct script *script, const char *name)
{
    struct network *network = script->network;
    char header[MOST_LINE_BYTES], sequence[16];
    struct words words;
    struct frame *frame = script->frame;
    uint32_t at = find_block(script, "network", name, header, &words);
    if (at == script->lines) {
        fail(script, "no network", name);
        return;
    }
    if (words.count > 2) {
        uint32_t length = network->options.sequence, most = UINT32_MAX;
        if (!length)
            length = (uint32_t)strtoul(strchr(words.word[2], '=') + 1, NULL, 10);
        if (words.count > 3)
            most = (uint32_t)strtoul(strchr(words.word[3], '=') + 1, NULL, 10);
        if (length > most)
            network_fail(network, "%u turns, expected at most %u", length, most);
        snprintf(sequence, sizeof sequence, "%u", length);
        frame->variable[frame->variables].name = "sequence";
        frame->variable[frame->variables++].value = sequence;
    }
    run(script, at + 1, find_end(script, at));
}

static void free_script(struct script *script)
{
    memory_free(script->network->input);
    memory_free(script->network->output);
    memory_free(script->text);
    memory_free(script->line);
    names_free(&script->names);
    memory_free(script->tensor);
}

enum status network_build(const struct text *text, const char *network_name, const char *name,
                          const struct network_options *options, struct graph **graph,
                          struct error *error)
{
    struct network network = {.options = *options};
    struct frame frame = {.inputs = 0};
    SCOPED(free_script) struct script script = {.network = &network, .frame = &frame};
    SCOPED(graph_release) struct graph *built = NULL;
    TRY(graph_create(&built, name, error));
    network.graph = built;
    /* The lines of a copy of the text; comments are empty lines. */
    TRY(memory_create(&script.text, text->length + 1, 1, error));
    memcpy(script.text, text->bytes, text->length);
    for (char *at = script.text; at < script.text + text->length;) {
        char *end = at + strcspn(at, "\n");
        TRY(memory_reserve(&script.line, &script.line_capacity, (size_t)script.lines + 1,
                           sizeof *script.line, error));
        *end = '\0';
        at += strspn(at, " ");
        script.line[script.lines++] = *at == '#' ? end : at;
        at = end + 1;
    }
    run_network(&script, network_name);
    network_output(&network, script.last);
    if (options->training && !network.status) {
        network.output[0] = network_train(&network);
        network.outputs = 1;
    }
    if (network.status) {
        *error = network.error;
        return network.status;
    }
    TRY(graph_set_inputs(built, network.input, network.inputs, error));
    TRY(graph_finish(built, network.output, network.outputs, NULL, error));
    if (options->streams > 1)
        TRY(graph_assign_streams(built, options->streams, error));
    *graph = built;
    built = NULL;
    return STATUS_OK;
}
