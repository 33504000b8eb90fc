#ifndef MEMPLAN_DATASETS_NETWORK_SCRIPT_H
#define MEMPLAN_DATASETS_NETWORK_SCRIPT_H

#include "core/names.h"
#include "datasets/network/layer.h"

/* The text of a network while it runs. A failure is kept by the network, as in layer.h. */

enum {
    SCRIPT_MOST_LINE_BYTES = 1024,
    SCRIPT_MOST_WORDS = 64,
    SCRIPT_MOST_VARIABLES = 16,
    SCRIPT_MOST_BLOCK_INPUTS = 4,
    SCRIPT_MOST_OPEN_LOOPS = 4,
    SCRIPT_MOST_CARRIED = 12,
};

/* A block that runs, or the network: its parameters, the numbers of its loops, its inputs. */
struct script_frame {
    struct {
        const char *name, *value;
    } variable[SCRIPT_MOST_VARIABLES];
    uint32_t variables;
    uint32_t input[SCRIPT_MOST_BLOCK_INPUTS], inputs;
    unsigned depth; /* of calls */
};

struct script_loop {
    char label[64];
    uint32_t op, turns, values;
    uint32_t name[SCRIPT_MOST_CARRIED]; /* [values] of each carried value, an index of names */
    uint32_t result[SCRIPT_MOST_CARRIED];
};

struct script {
    struct network *network;
    struct script_frame *frame; /* of the line that runs */
    char *text;                 /* lines that end in zeros */
    char **line;                /* [lines] without the blanks before them */
    uint32_t lines, at;         /* at: the line that runs, from 1 */
    size_t line_capacity;
    struct names names; /* of layers and of what `set` named */
    uint32_t *tensor;   /* [names] that each stands for now */
    size_t tensor_capacity;
    uint32_t last; /* the tensor that the last layer gave */
    struct script_loop loop[SCRIPT_MOST_OPEN_LOOPS];
    uint32_t loops;
};

struct script_words {
    char *word[SCRIPT_MOST_WORDS];
    uint32_t count;
};

void script_fail(struct script *script, const char *what, const char *found);

/* names.c: names that stand for tensors. */

uint32_t script_find_tensor(struct script *script, const char *name);
/* Lets a name stand for a tensor from now on, and returns the name's index. */
uint32_t script_set_tensor(struct script *script, const char *name, uint32_t tensor);
/* Fills list[NETWORK_MOST_INPUTS] with the tensors of words from `first` on. NAME*REST stands for
   the tensors whose names have 0 (or 1), 1, 2 and so on there, up to the first that is missing. */
uint32_t script_find_tensors(struct script *script, const struct script_words *words,
                             uint32_t first, uint32_t *list);

/* expression.c: what stands in braces. */

/* The line with what its braces stand for instead of them. */
void script_expand(struct script *script, const char *line, char expanded[SCRIPT_MOST_LINE_BYTES]);

/* directives.c: lines that add no layer. */

/* Runs the directive that the first word is; false where it is none. */
bool script_run_directive(struct script *script, const struct script_words *words);

#endif
