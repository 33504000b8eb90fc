#include "datasets/network/script.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/side_by_side/assign_streams.h"
#include "planning/graph/build.h"

/* Runs the text of a network, see README.md. A line is run in three steps: what stands in braces is
   put in, the line is cut into words, and the first word says what to do. */

enum { MOST_DEPTH = 16 };

/* Cuts a line at its blanks. What is in `input` are the words behind "<". */
static struct script_words cut(struct script *script, char *line, struct script_words *input)
{
    struct script_words words = {.count = 0}, *filled = &words;
    input->count = SCRIPT_MOST_WORDS; /* no "<" */
    for (char *word = line, *next; *word; word = next) {
        next = strchr(word, ' ');
        next = next ? next : word + strlen(word);
        while (*next == ' ')
            *next++ = '\0';
        if (!*word)
            continue;
        if (strcmp(word, "<") == 0) {
            filled = input;
            input->count = 0;
        } else if (filled->count == SCRIPT_MOST_WORDS) {
            script_fail(script, "no room for", word);
        } else {
            filled->word[filled->count++] = word;
        }
    }
    return words;
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
        script_fail(script, "no size", word);
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
        script_fail(script, "no setting", word);
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
        script_fail(script, "not understood:", word);
    }
}

/* NAME: LAYER WORDS < INPUTS; without "<" the input is what the last layer gave. */
static void add_layer(struct script *script, const struct script_words *words,
                      const struct script_words *input)
{
    static const struct network_layer_kind *const tables[] = {
        network_window_layers, network_element_layers, network_shape_layers,
        network_sequence_layers};
    struct network_line line = {.name = words->word[0], .like = 1, .times = 1};
    const struct network_layer_kind *kind = NULL;
    words->word[0][strlen(words->word[0]) - 1] = '\0';
    for (size_t i = 0; i < sizeof tables / sizeof *tables && words->count > 1; i++)
        for (const struct network_layer_kind *at = tables[i]; at->name && !kind; at++)
            if (*at->name == *words->word[1] && strcmp(at->name, words->word[1]) == 0)
                kind = at;
    if (!kind) {
        script_fail(script, "no such layer:", line.name);
        return;
    }
    line.type = kind->type;
    for (uint32_t i = 2; i < words->count && !script->network->status; i++)
        read_word(script, &line, words->word[i]);
    if (input->count < SCRIPT_MOST_WORDS) {
        line.inputs = script_find_tensors(script, input, 0, line.input);
    } else if (kind->inputs) {
        line.input[0] = script->last;
        line.inputs = 1;
    }
    bool fits = kind->inputs == NETWORK_ANY_INPUTS || kind->inputs == line.inputs ||
                (kind->inputs == NETWORK_SOME_INPUTS && line.inputs);
    if (!line.type || !fits)
        script_fail(script, "not enough or too much of", line.name);
    if (script->network->status)
        return;
    script->last = network_line_add(script->network, kind, &line);
    script_set_tensor(script, line.name, script->last);
}

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
                           char header[SCRIPT_MOST_LINE_BYTES], struct script_words *words)
{
    for (uint32_t i = 0; i < script->lines; i++) {
        struct script_words none;
        const char *line = script->line[i];
        if (!starts(line, kind) || !line[strlen(kind)] || !starts(line + strlen(kind) + 1, name))
            continue;
        snprintf(header, SCRIPT_MOST_LINE_BYTES, "%s", line);
        *words = cut(script, header, &none);
        return i;
    }
    return script->lines;
}

static void run(struct script *script, uint32_t from, uint32_t to);

/* BLOCK ARGUMENTS < INPUTS */
static void call(struct script *script, const struct script_words *words,
                 const struct script_words *input)
{
    char header[SCRIPT_MOST_LINE_BYTES];
    struct script_words parameters;
    struct script_frame *caller = script->frame;
    struct script_frame called = {.depth = caller->depth + 1, .inputs = 1, .input = {script->last}};
    uint32_t at = find_block(script, "block", words->word[0], header, &parameters);
    if (at == script->lines || parameters.count != words->count + 1 ||
        words->count > SCRIPT_MOST_VARIABLES || called.depth > MOST_DEPTH ||
        (input->count > SCRIPT_MOST_BLOCK_INPUTS && input->count < SCRIPT_MOST_WORDS)) {
        script_fail(script, "no block with these arguments:", words->word[0]);
        return;
    }
    for (uint32_t i = 1; i < words->count; i++) {
        called.variable[called.variables].name = parameters.word[i + 1];
        called.variable[called.variables++].value =
            strcmp(words->word[i], "''") == 0 ? "" : words->word[i];
    }
    if (input->count < SCRIPT_MOST_WORDS)
        called.inputs = script_find_tensors(script, input, 0, called.input);
    if (called.inputs)
        script->last = called.input[0];
    script->frame = &called;
    run(script, at + 1, find_end(script, at));
    script->frame = caller;
}

/* repeat VARIABLE FROM TO, the lines up to `end` for each number. */
static void repeat(struct script *script, const struct script_words *words, uint32_t from,
                   uint32_t to)
{
    struct script_frame *frame = script->frame;
    char number[24];
    if (words->count != 4 || frame->variables == SCRIPT_MOST_VARIABLES) {
        script_fail(script, "not enough or too much of", "repeat");
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
        char line[SCRIPT_MOST_LINE_BYTES];
        struct script_words input;
        script->at = i + 1;
        script_expand(script, script->line[i], line);
        struct script_words words = cut(script, line, &input);
        if (words.count > 1 && strcmp(words.word[0], "if") == 0) {
            if (strcmp(words.word[1], "0") == 0)
                continue;
            words.count -= 2;
            memmove(words.word, words.word + 2, words.count * sizeof *words.word);
        }
        if (!words.count)
            continue;
        const char *first = words.word[0];
        if (strcmp(first, "repeat") == 0) {
            uint32_t last = find_end(script, i);
            repeat(script, &words, i + 1, last);
            i = last;
        } else if (first[strlen(first) - 1] == ':') {
            add_layer(script, &words, &input);
        } else if (!script_run_directive(script, &words)) {
            call(script, &words, &input);
        }
    }
}

/* network NAME [sequence=LENGTH [most=LENGTH]] */
static void run_network(struct script *script, const char *name)
{
    struct network *network = script->network;
    char header[SCRIPT_MOST_LINE_BYTES], sequence[16];
    struct script_words words;
    struct script_frame *frame = script->frame;
    uint32_t at = find_block(script, "network", name, header, &words);
    if (at == script->lines) {
        script_fail(script, "no network", name);
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
    memory_free_all(script->network->input, script->network->output, script->text, script->line);
    names_free(&script->names);
    memory_free(script->tensor);
}

enum status network_build(const struct text *text, const char *network_name, const char *name,
                          const struct network_options *options, struct graph **graph,
                          struct error *error)
{
    struct network network = {.options = *options};
    struct script_frame frame = {.inputs = 0};
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
    HAND_OVER(built, graph);
}
