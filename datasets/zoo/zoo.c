#include "datasets/zoo/zoo.h"

#include <stdio.h>

#include "core/embedded.h"
#include "core/random.h"
#include "core/rows.h"

extern const struct embedded_file datasets_zoo_texts[];
extern const unsigned datasets_zoo_texts_count;

#define ZOO(name, file, options, has_control_flow, title)                                          \
    {name, file, options, title, has_control_flow, {0, 0, false}},
#define ZOO_DRAWN(name, file, options, title, seed, cells, fused)                                  \
    {name, file, options, title, false, {seed, cells, fused}},
static const struct zoo_network networks[] = {
#include "datasets/zoo/networks.def"
};
#undef ZOO
#undef ZOO_DRAWN

ROWS_DEFINE(zoo, struct zoo_network, networks);

/* Randomly wired networks of Xie et al. 2019, small regime, WS(32, 4, 0.75), as HMCOS builds them:
   cells of 32 nodes. */

enum { NODES = 32, NEIGHBOURS = 2, REWIRE_PERCENT = 75, FILTERS = 78 };

struct wiring {
    bool edge[NODES][NODES]; /* both ways */
};

/* Watts and Strogatz 1998: a ring whose edges are moved by chance. */
static struct wiring draw_wiring(struct random_state *random)
{
    struct wiring wiring = {0};
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t j = 1; j <= NEIGHBOURS; j++) {
            uint32_t k = (i + j) % NODES;
            wiring.edge[i][k] = wiring.edge[k][i] = true;
        }
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t j = 1; j <= NEIGHBOURS; j++) {
            uint32_t k = (i + j) % NODES, stranger[NODES], count = 0;
            if (random_below(random, 100) >= REWIRE_PERCENT)
                continue;
            for (uint32_t other = 0; other < NODES; other++)
                if (other != i && !wiring.edge[i][other])
                    stranger[count++] = other;
            uint32_t drawn = stranger[random_below(random, count)];
            wiring.edge[i][k] = wiring.edge[k][i] = false;
            wiring.edge[i][drawn] = wiring.edge[drawn][i] = true;
        }
    return wiring;
}

/* Lists the nodes from `from` to before `to` that node i has an edge with, and returns how many
   there are. */
static uint32_t list_neighbours(const struct wiring *wiring, uint32_t i, uint32_t from, uint32_t to,
                                uint32_t neighbour[NODES])
{
    uint32_t count = 0;
    for (uint32_t k = from; k < to; k++)
        if (wiring->edge[k][i])
            neighbour[count++] = k;
    return count;
}

/* One operator of some nodes: as many flops per element as there are inputs. */
static void write_operator(struct text *text, const char *name, const char *type, uint32_t cell,
                           const uint32_t *node, uint32_t count)
{
    text_append(text, "%s: same %s %u <", name, type, count);
    for (uint32_t i = 0; i < count; i++)
        text_append(text, " cell%u_node%u", cell, node[i]);
    text_append(text, "\n");
}

/* A node that no other one comes before reads the cell's input and halves the image; those that no
   other one comes after make the output. */
static void write_cell(struct text *text, const struct wiring *wiring, uint32_t cell, bool fused)
{
    char name[48];
    uint32_t node[NODES], last[NODES], lasts = 0;
    text_append(text, "set input\n");
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t count = list_neighbours(wiring, i, 0, i, node);
        snprintf(name, sizeof name, "cell%u_node%u_sum", cell, i);
        if (count > 1)
            write_operator(text, name, "Sum", cell, node, count);
        text_append(text, "%snode cell%u_node%u %u %s < ", fused ? "fused_" : "", cell, i,
                    FILTERS << (cell - 1), count ? "3" : "3/2");
        if (count == 1)
            text_append(text, "cell%u_node%u\n", cell, node[0]);
        else
            text_append(text, "%s\n", count ? "last" : "input");
        if (!list_neighbours(wiring, i, i + 1, NODES, node))
            last[lasts++] = i;
    }
    snprintf(name, sizeof name, "cell%u_mean", cell);
    write_operator(text, name, "Mean", cell, last, lasts);
}

static enum status append_file(struct text *text, const char *name, struct error *error)
{
    const struct embedded_file *file =
        embedded_find(datasets_zoo_texts, datasets_zoo_texts_count, "texts/", name, ".txt");
    if (!file)
        return error_set(error, STATUS_INTERNAL, "'%s' is listed but not part of this build", name);
    text_append_bytes(text, file->bytes, file->length);
    return STATUS_OK;
}

enum status zoo_build(const struct zoo_network *zoo, const char *name,
                      const struct network_options *options, struct graph **graph,
                      struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    const struct randwire *drawn = &zoo->drawn;
    struct random_state random = random_seed(drawn->seed);
    bool whole = drawn->cells > 1;
    TRY(append_file(&text, zoo->file, error));
    TRY(append_file(&text, "common", error));
    if (drawn->cells) /* a randomly wired network is made of the blocks of texts/randwire.txt */
        text_append(&text, "network %s\n%s\n", zoo->name, whole ? "begin" : "one_cell");
    for (uint32_t cell = 1; cell <= drawn->cells; cell++) {
        const struct wiring wiring = draw_wiring(&random);
        write_cell(&text, &wiring, cell, drawn->fused);
    }
    if (drawn->cells)
        text_append(&text, "%send\n", whole ? "finish\n" : "");
    TRY(text_check(&text, error));
    return network_build(&text, zoo->name, name, options, graph, error);
}
