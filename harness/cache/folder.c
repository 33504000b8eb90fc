#include "harness/cache/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/file_replace.h"
#include "core/memory.h"

enum { SEQUENCE_DIGITS = 16, DIGEST_DIGITS = DIGEST_TEXT_BYTES - 1 };

static const char extension[] = ".mpa";
static const char damaged[] = ".damaged";
static const char part[] = ".part"; /* extension of a file that core/file_replace.h is writing */
static const uint64_t patience_ns = UINT64_C(5000000000);

static enum status report_fault(const char *path, const char *what, struct error *error)
{
    return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot %s: %s", what, strerror(errno));
}

enum status cache_folder_create(const char *path, struct error *error)
{
    struct text above = {0};
    enum status status = STATUS_OK;
    for (size_t i = 1; i <= strlen(path) && !status; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        above.length = 0;
        text_append_bytes(&above, path, i);
        status = text_check(&above, error);
        if (!status && mkdir(above.bytes, 0777) != 0 && errno != EEXIST)
            status = report_fault(above.bytes, "create folder", error);
    }
    text_free(&above);
    return status;
}

enum status cache_folder_path(const struct cache_folder *folder, const char *file,
                              struct text *path, struct error *error)
{
    text_append(path, "%s/%s", folder->path, file);
    return text_check(path, error);
}

/* Moves *name past `digits` hexadecimal digits and copies them to `text`; false where there are
   fewer. */
static bool take_digits(const char **name, size_t digits, char *text)
{
    if (strspn(*name, "0123456789abcdef") != digits)
        return false;
    memcpy(text, *name, digits);
    text[digits] = '\0';
    *name += digits;
    return true;
}

static bool take_digest(const char **name, char digest[DIGEST_TEXT_BYTES])
{
    return *(*name)++ == '-' && take_digits(name, DIGEST_DIGITS, digest);
}

/* Reads the name of a file of the cache; false where it is not such a name. */
static bool parse_name(const char *file, struct cache_entry *entry)
{
    char sequence[SEQUENCE_DIGITS + 1];
    const char *rest = file;
    if (strlen(file) >= sizeof entry->file || !take_digits(&rest, SEQUENCE_DIGITS, sequence))
        return false;
    for (int i = 0; i < CACHE_PARTS; i++)
        if (!take_digest(&rest, entry->digests.of[i]))
            return false;
    if (strncmp(rest, extension, strlen(extension)) != 0)
        return false;
    rest += strlen(extension);
    entry->damaged = strcmp(rest, damaged) == 0;
    entry->sequence = strtoull(sequence, NULL, 16);
    snprintf(entry->file, sizeof entry->file, "%s", file);
    return entry->damaged || !*rest;
}

static void write_name(uint64_t sequence, const struct cache_digests *digests, struct text *name)
{
    text_append(name, "%0*" PRIx64, SEQUENCE_DIGITS, sequence);
    for (int i = 0; i < CACHE_PARTS; i++)
        text_append(name, "-%s", digests->of[i]);
    text_append(name, "%s", extension);
}

/* Adds a file to the list, unless it has been removed in the meantime. */
static enum status add_entry(const struct cache_folder *folder, const char *file,
                             struct cache_entries *entries, struct error *error)
{
    struct cache_entry entry = {0};
    struct text path = {0};
    struct stat found;
    if (!parse_name(file, &entry))
        return STATUS_OK;
    enum status status = cache_folder_path(folder, file, &path, error);
    if (!status && stat(path.bytes, &found) == 0) {
        entry.bytes = (uint64_t)found.st_size;
        status = memory_reserve(&entries->entry, &entries->capacity, (size_t)entries->count + 1,
                                sizeof entry, error);
        if (!status)
            entries->entry[entries->count++] = entry;
    }
    text_free(&path);
    return status;
}

static int compare_entries(const void *left, const void *right)
{
    const struct cache_entry *a = left, *b = right;
    if (a->sequence != b->sequence)
        return a->sequence < b->sequence ? -1 : 1;
    return strcmp(a->file, b->file);
}

/* Calls `visit` for each file of the folder. */
static enum status walk_folder(const struct cache_folder *folder,
                               enum status (*visit)(const struct cache_folder *folder,
                                                    const char *file, void *context,
                                                    struct error *error),
                               void *context, struct error *error)
{
    DIR *handle = opendir(folder->path);
    struct dirent *found;
    enum status status = STATUS_OK;
    if (!handle)
        return report_fault(folder->path, "open", error);
    while (!status && (found = readdir(handle)))
        status = visit(folder, found->d_name, context, error);
    closedir(handle);
    return status;
}

static enum status visit_entry(const struct cache_folder *folder, const char *file, void *context,
                               struct error *error)
{
    return add_entry(folder, file, context, error);
}

enum status cache_folder_list(const struct cache_folder *folder, struct cache_entries *entries,
                              struct error *error)
{
    *entries = (struct cache_entries){0};
    enum status status = walk_folder(folder, visit_entry, entries, error);
    if (status)
        cache_entries_free(entries);
    else if (entries->count)
        qsort(entries->entry, entries->count, sizeof *entries->entry, compare_entries);
    return status;
}

void cache_entries_free(struct cache_entries *entries)
{
    memory_free(entries->entry);
    *entries = (struct cache_entries){0};
}

/* Takes the lock for this process. It is released when the descriptor is closed or the process
   ends. */
static enum status take_lock(const char *path, int descriptor, struct error *error)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    uint64_t deadline_ns = clock_deadline_ns(patience_ns);
    const struct timespec moment = {.tv_nsec = 2000000};
    while (fcntl(descriptor, F_SETLK, &lock) != 0) {
        if (errno != EAGAIN && errno != EACCES && errno != EINTR)
            return report_fault(path, "lock", error);
        if (!clock_left_ns(deadline_ns))
            return error_set_at(error, STATUS_LIMIT, path, 0,
                                "another process has held the lock for 5 s");
        nanosleep(&moment, NULL);
    }
    return STATUS_OK;
}

/* Opens the lock's file and waits for the lock, which is held until the descriptor is closed. */
static enum status open_lock(const struct cache_folder *folder, int *descriptor,
                             struct error *error)
{
    struct text path = {0};
    enum status status = cache_folder_path(folder, "lock", &path, error);
    if (!status) {
        *descriptor = open(path.bytes, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (*descriptor < 0)
            status = report_fault(path.bytes, "open", error);
        else
            status = take_lock(path.bytes, *descriptor, error);
        if (status && *descriptor >= 0)
            close(*descriptor);
    }
    text_free(&path);
    return status;
}

static enum status remove_file(const struct cache_folder *folder, const char *file,
                               struct error *error)
{
    struct text path = {0};
    enum status status = cache_folder_path(folder, file, &path, error);
    if (!status && unlink(path.bytes) != 0 && errno != ENOENT)
        status = report_fault(path.bytes, "remove", error);
    text_free(&path);
    return status;
}

static bool ends_in(const char *file, const char *end)
{
    size_t length = strlen(file);
    return length > strlen(end) && strcmp(file + length - strlen(end), end) == 0;
}

/* Removes a file that a writer has left unfinished. The caller holds the lock, so nobody is writing
   it. */
static enum status remove_part(const struct cache_folder *folder, const char *file, void *context,
                               struct error *error)
{
    (void)context;
    return ends_in(file, part) ? remove_file(folder, file, error) : STATUS_OK;
}

static bool is_there(const struct cache_entries *entries, const struct cache_digests *digests)
{
    for (uint32_t i = 0; i < entries->count; i++)
        if (!entries->entry[i].damaged &&
            memcmp(&entries->entry[i].digests, digests, sizeof *digests) == 0)
            return true;
    return false;
}

/* Removes the oldest files until there is room for so many bytes more. */
static enum status make_room(const struct cache_folder *folder, const struct cache_entries *entries,
                             uint64_t bytes, struct error *error)
{
    uint64_t sum = bytes;
    for (uint32_t i = 0; i < entries->count; i++)
        sum += entries->entry[i].bytes;
    for (uint32_t i = 0; i < entries->count && sum > folder->most_bytes; i++) {
        TRY(remove_file(folder, entries->entry[i].file, error));
        sum -= entries->entry[i].bytes;
    }
    return STATUS_OK;
}

static enum status write_file(const struct cache_folder *folder,
                              const struct cache_digests *digests, uint64_t sequence,
                              const struct text *bytes, struct error *error)
{
    struct text path = {0};
    text_append(&path, "%s/", folder->path);
    write_name(sequence, digests, &path);
    enum status status = text_check(&path, error);
    if (!status)
        status = text_write_file(path.bytes, bytes, error);
    text_free(&path);
    return status;
}

static enum status add_locked(const struct cache_folder *folder,
                              const struct cache_digests *digests, const struct text *bytes,
                              bool *added, struct error *error)
{
    struct cache_entries entries;
    TRY(walk_folder(folder, remove_part, NULL, error));
    TRY(cache_folder_list(folder, &entries, error));
    enum status status = STATUS_OK;
    if (!is_there(&entries, digests)) {
        uint64_t newest = entries.count ? entries.entry[entries.count - 1].sequence : 0;
        status = make_room(folder, &entries, bytes->length, error);
        if (!status)
            status = write_file(folder, digests, newest + 1, bytes, error);
        *added = !status;
    }
    cache_entries_free(&entries);
    return status;
}

enum status cache_folder_add(const struct cache_folder *folder, const struct cache_digests *digests,
                             const struct text *bytes, bool *added, struct error *error)
{
    int lock;
    *added = false;
    if (bytes->length > folder->most_bytes)
        return STATUS_OK;
    TRY(open_lock(folder, &lock, error));
    enum status status = add_locked(folder, digests, bytes, added, error);
    close(lock);
    return status;
}

enum status cache_folder_set_aside(const struct cache_folder *folder, const char *file,
                                   struct error *error)
{
    struct text from = {0}, to = {0};
    enum status status = cache_folder_path(folder, file, &from, error);
    if (!status) {
        text_append(&to, "%s%s", from.bytes, damaged);
        status = text_check(&to, error);
    }
    if (!status && rename(from.bytes, to.bytes) != 0 && errno != ENOENT)
        status = report_fault(from.bytes, "set aside", error);
    text_free(&from);
    text_free(&to);
    return status;
}

static enum status clear_file(const struct cache_folder *folder, const char *file, void *context,
                              struct error *error)
{
    struct cache_entry entry = {0};
    uint32_t *removed = context;
    bool known = parse_name(file, &entry);
    if (!known && !ends_in(file, part))
        return STATUS_OK;
    *removed += known;
    return remove_file(folder, file, error);
}

enum status cache_folder_clear(const struct cache_folder *folder, uint32_t *removed,
                               struct error *error)
{
    int lock;
    *removed = 0;
    TRY(open_lock(folder, &lock, error));
    enum status status = walk_folder(folder, clear_file, removed, error);
    close(lock);
    return status;
}
