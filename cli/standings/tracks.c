#include "cli/standings/tracks.h"

#include <string.h>

#include "cli/commands/bench.h"
#include "core/memory.h"
#include "core/text.h"

const struct standings_track standings_tracks[STANDINGS_TRACKS] = {
    {"problems", "Problems and graphs without branches", NULL, NULL, true},
    {"control-flow", "Branches and loops", "flat,recursive,path,select", NULL, false},
    {"orders", "Orders of operators", NULL,
     "stored,reverse_post,xla_default,inductor,glow,beam,exact_order", false},
    {"streams", "Several streams", "streams", NULL, false},
    {"sizes", "Sizes that are known only when a network runs", "path", NULL, false},
};

bool standings_track_has(const struct standings_track *track, const struct collection_entry *entry)
{
    return strcmp(entry->track, track->name) == 0;
}

const char *const standings_parts[STANDINGS_PARTS] = {"easy", "medium",    "hard",
                                                      "open", "open half", "held back"};
enum { CLASSES = 4 };

bool standings_part_has(unsigned part, const struct collection_entry *entry)
{
    return part < CLASSES ? strcmp(entry->rank, standings_parts[part]) == 0
                          : strncmp(entry->half, standings_parts[part], strlen(entry->half)) == 0;
}

enum status standings_track_names(const struct standings_track *track, struct names *names,
                                  struct error *error)
{
    for (uint32_t i = 0; i < collection_count(); i++) {
        const char *name = collection_at(i)->name, *order = track->orders;
        if (!standings_track_has(track, collection_at(i)))
            continue;
        TRY(names_add(names, name, error));
        for (size_t length; order; order = order[length] ? order + length + 1 : NULL) {
            SCOPED(text_free) struct text ordered = {0};
            length = strcspn(order, ",");
            text_append(&ordered, "%s@%.*s", name, (int)length, order);
            TRY(text_check(&ordered, error));
            TRY(names_add(names, ordered.bytes, error));
        }
    }
    return STATUS_OK;
}

enum status standings_track_plan(const struct arguments *arguments,
                                 const struct standings_track *track, struct error *error)
{
    struct arguments own = *arguments;
    SCOPED(memory_release) const char **operand = NULL;
    TRY(memory_create(&operand, collection_count(), sizeof *operand, error));
    own.operands = 0;
    for (uint32_t i = 0; i < collection_count(); i++)
        if (standings_track_has(track, collection_at(i)))
            operand[own.operands++] = collection_at(i)->name;
    own.operand = operand;
    own.policies = track->policies;
    own.orders = track->orders;
    if (arguments->mine)
        own.planners = arguments->mine;
    else if (track->orders)
        own.planners = "best"; /* it plans all orders */
    /* A planner says nothing of orders, but the one that places all of them. */
    if (!own.operands || (track->orders && arguments->mine))
        return STATUS_OK;
    return bench_run_missing(&own, arguments->mine, true, own.time_limit_ns, error);
}
