#include "harness/orders/ordered_set.h"

#include "core/memory.h"

static enum status rename_text(char **name, const char *order, struct error *error)
{
    struct text text = {0};
    text_append(&text, "%s@%s", *name, order);
    TRY(text_check(&text, error));
    memory_free(*name);
    *name = text.bytes;
    return STATUS_OK;
}

static enum status add_entry(struct ordered_set *set, const struct ordered_request *request,
                             struct error *error)
{
    TRY(memory_reserve(&set->entry, &set->capacity, (size_t)set->count + 1, sizeof *set->entry,
                       error));
    struct ordered_entry *entry = &set->entry[set->count++];
    *entry = (struct ordered_entry){.row = request->row,
                                    .stored = request->instance,
                                    .policy = request->policy,
                                    .error = ERROR_NONE};
    entry->name = memory_copy_text(request->instance->name);
    if (!entry->name)
        return error_no_memory(error);
    TRY(rename_text(&entry->name, entry->row->name, error));
    enum status status = ordered_create(request, &entry->ordered, &entry->error);
    if (!status) {
        TRY(rename_text(&entry->ordered.instance->name, entry->row->name, error));
        return rename_text(&entry->ordered.instance->path, entry->row->name, error);
    }
    if (!error_is_no_memory(&entry->error))
        return STATUS_OK;
    *error = entry->error;
    return status;
}

enum status ordered_set_add(struct ordered_set *set, const struct ordered_request *request,
                            struct ordered_rows rows, struct error *error)
{
    uint32_t first = set->count;
    for (uint32_t i = 0; i < rows.count; i++) {
        struct ordered_request one = *request;
        one.row = rows.row[i];
        TRY(add_entry(set, &one, error));
    }
    for (uint32_t e = first; e < set->count; e++) {
        struct ordered_entry *entry = &set->entry[e];
        uint64_t bound = entry->ordered.report.bound_bytes;
        for (uint32_t i = first; i < set->count && !entry->error.status; i++) {
            const struct ordered_entry *other = &set->entry[i];
            if (!other->error.status && other->ordered.report.load_bytes < bound)
                error_set(&entry->error, STATUS_NO,
                          "order %s says that no load is below %llu bytes, but %s has one of %llu",
                          entry->row->name, (unsigned long long)bound, other->row->name,
                          (unsigned long long)other->ordered.report.load_bytes);
        }
    }
    return STATUS_OK;
}

void ordered_set_free(struct ordered_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        ordered_clear(&set->entry[i].ordered);
        memory_free(set->entry[i].name);
    }
    memory_free(set->entry);
    *set = (struct ordered_set){0};
}
