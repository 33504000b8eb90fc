#include "harness/planners/shared_object.h"

#include <dlfcn.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "core/utf8.h"
#include "planning/plan/planner.h"

/* Reports the loader's error, whose text mostly begins with the path. */
static enum status report_loader(const struct shared_object *object, const char *loaded,
                                 struct error *error)
{
    const char *text = dlerror();
    size_t length = strlen(loaded);
    if (text && strncmp(text, loaded, length) == 0 && strncmp(text + length, ": ", 2) == 0)
        text += length + 2;
    return error_set_at(error, STATUS_BAD_INPUT, object->path, 0, "cannot load the plug-in: %s",
                        text ? text : "no reason given");
}

enum status shared_object_open(const char *path, struct shared_object *object, struct error *error)
{
    SCOPED(text_free) struct text loaded = {0};
    object->path = memory_copy_text(path);
    if (!object->path)
        return error_no_memory(error);
    text_append(&loaded, "%s%s", strchr(path, '/') ? "" : "./", path);
    TRY(text_check(&loaded, error));
    object->handle = dlopen(loaded.bytes, RTLD_NOW | RTLD_LOCAL);
    TRY(object->handle ? STATUS_OK : report_loader(object, loaded.bytes, error));
    return digest_file(path, object->content, error);
}

void shared_object_close(struct shared_object *object)
{
    if (object->handle)
        dlclose(object->handle);
    memory_free(object->path);
    *object = (struct shared_object){.handle = NULL};
}

const void *shared_object_symbol(const struct shared_object *object, const char *name)
{
    return dlsym(object->handle, name);
}

/* Checks one text of a row; `what` says for the error which one it is. */
static enum status check_text(const char *path, const struct shared_object_row *row,
                              const char *what, const char *text, struct error *error)
{
    const char *fault = NULL;
    if (!text || !*text)
        fault = "no text";
    else if (strpbrk(text, "\r\n") || !utf8_is_valid(text, strlen(text)))
        fault = "a line break, or something that is not UTF-8";
    if (!fault)
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                        "found %s as %s of %s %u, expected one line of UTF-8", fault, what,
                        row->kind, row->index);
}

enum status shared_object_check_row(const char *path, const struct shared_object_row *row,
                                    struct error *error)
{
    TRY(check_text(path, row, "name", row->name, error));
    TRY(check_text(path, row, "title", row->title, error));
    TRY(check_text(path, row, "source", row->source, error));
    if (planner_is_name(row->name, strlen(row->name)))
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                        "found '%.64s' as name of %s %u, expected at most 64 lower-case "
                        "letters, digits and underscores",
                        row->name, row->kind, row->index);
}
