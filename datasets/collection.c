#include "datasets/collection.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct collection_entry entries[] = {
#include "datasets/collection.def"
};

const char *const collection_tracks[] = {"problems", "control-flow", "orders",
                                         "streams",  "sizes",        NULL};
const char *const collection_classes[] = {"easy", "medium", "hard", "open", NULL};

uint32_t collection_count(void)
{
    return sizeof entries / sizeof *entries;
}

const struct collection_entry *collection_at(uint32_t index)
{
    assert(index < collection_count());
    return &entries[index];
}

const struct collection_entry *collection_find(const char *digest, const char *name)
{
    size_t length = strcspn(name, "@");
    for (uint32_t i = 0; i < collection_count(); i++) {
        bool is_ordered = name[length] && strlen(entries[i].name) == length &&
                          memcmp(entries[i].name, name, length) == 0;
        if (is_ordered || strcmp(entries[i].digest, digest) == 0)
            return &entries[i];
    }
    return NULL;
}
