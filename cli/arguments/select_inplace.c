#include <ctype.h>
#include <string.h>

#include "cli/arguments/select.h"
#include "core/text.h"
#include "planning/inplace/types.h"

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
