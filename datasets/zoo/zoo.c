#include "datasets/zoo/zoo.h"

#include "core/embedded.h"
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
    TRY(append_file(&text, zoo->file, error));
    TRY(append_file(&text, "common", error));
    if (zoo->drawn.cells)
        randwire_write(&zoo->drawn, zoo->name, &text);
    TRY(text_check(&text, error));
    return network_build(&text, zoo->name, name, options, graph, error);
}
