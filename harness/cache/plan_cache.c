#include "harness/cache/plan_cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "harness/cache/cached_plan.h"
#include "harness/job/workers.h"

static const char kind_environment[] = "environment", kind_plan[] = "plan",
                  kind_weights[] = "weights";

const char *cache_use_name(enum cache_use use)
{
    static const char *const names[] = {"off", "hit", "weights replaced", "planned"};
    return names[use];
}

enum status plan_cache_open_in(const char *path, uint64_t most_bytes,
                               const struct plan_cache_setup *setup, struct plan_cache **opened,
                               struct error *error)
{
    struct plan_cache *cache;
    enum status status;
    TRY(memory_create(&cache, 1, sizeof *cache, error));
    cache->path = memory_copy_text(path);
    cache->folder = (struct cache_folder){cache->path, most_bytes};
    cache->warn = setup->warn;
    snprintf(cache->process.hardware, sizeof cache->process.hardware, "%s", setup->hardware);
    TRY_OR_DONE(status, cache->path ? STATUS_OK : error_no_memory(error));
    TRY_OR_DONE(status, cache_folder_create(path, error));
    TRY_OR_DONE(status, digest_file("/proc/self/exe", cache->process.program, error));
    *opened = cache;
done:
    if (status)
        plan_cache_close(cache);
    return status;
}

void plan_cache_close(struct plan_cache *cache)
{
    if (!cache)
        return;
    memory_free(cache->path);
    memory_free(cache);
}

static enum status read_disable(bool *disabled, struct error *error)
{
    const char *text = getenv("MEMPLAN_CACHE_DISABLE");
    *disabled = text && strcmp(text, "1") == 0;
    if (!text || !*text || *disabled || strcmp(text, "0") == 0)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "MEMPLAN_CACHE_DISABLE is '%s', expected 0 or 1", text);
}

static enum status read_most_bytes(uint64_t *most_bytes, struct error *error)
{
    const char *text = getenv("MEMPLAN_CACHE_MAX_BYTES");
    *most_bytes = UINT64_C(256) << 20;
    if (!text || !*text || text_parse_bytes(text, most_bytes))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "MEMPLAN_CACHE_MAX_BYTES is '%s', expected bytes", text);
}

/* Appends the folder of the cache, or nothing where no folder for caches is known. */
static void find_folder(struct text *path)
{
    const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (caches && *caches == '/')
        text_append(path, "%s/memplan", caches);
    else if (home && *home == '/')
        text_append(path, "%s/.cache/memplan", home);
}

enum status plan_cache_open(const struct plan_cache_setup *setup, struct plan_cache **cache,
                            struct error *error)
{
    struct text path = {0};
    struct error found = ERROR_NONE;
    uint64_t most_bytes;
    bool disabled;
    *cache = NULL;
    TRY(read_disable(&disabled, error));
    TRY(read_most_bytes(&most_bytes, error));
    if (!disabled)
        find_folder(&path);
    if (path.bytes && plan_cache_open_in(path.bytes, most_bytes, setup, cache, &found)) {
        *cache = NULL;
        setup->warn(&found);
    }
    text_free(&path);
    return STATUS_OK;
}

static void tell(const struct plan_cache *cache, const struct error *error)
{
    if (error->status)
        cache->warn(error);
}

/* The newest file with the environment and structure of the key; among those, one that also has the
   same weights comes first, and *whole says whether it has. */
static const struct cache_entry *recognise(const struct cache_entries *entries,
                                           const struct cache_digests *digests, bool *whole)
{
    const struct cache_entry *best = NULL;
    *whole = false;
    for (uint32_t i = entries->count; i-- > 0;) {
        const struct cache_entry *entry = &entries->entry[i];
        if (entry->damaged ||
            strcmp(entry->digests.of[CACHE_ENVIRONMENT], digests->of[CACHE_ENVIRONMENT]) != 0 ||
            strcmp(entry->digests.of[CACHE_STRUCTURE], digests->of[CACHE_STRUCTURE]) != 0)
            continue;
        *whole = strcmp(entry->digests.of[CACHE_WEIGHTS], digests->of[CACHE_WEIGHTS]) == 0;
        if (*whole)
            return entry;
        best = best ? best : entry;
    }
    return best;
}

static void write_archive_name(const struct cache_digests *digests, char name[ARCHIVE_NAME_BYTES])
{
    snprintf(name, ARCHIVE_NAME_BYTES, "%s-%s", digests->of[CACHE_STRUCTURE],
             digests->of[CACHE_WEIGHTS]);
}

static enum status check_body(const struct archive *archive, const char *kind, const char *path,
                              const char digest[DIGEST_TEXT_BYTES], struct error *error)
{
    char found[DIGEST_TEXT_BYTES];
    const struct text *text = archive_find(archive, kind);
    if (!text)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "no body '%s'", kind);
    TRY(digest_bytes(text->bytes, text->length, found, error));
    if (strcmp(found, digest) != 0)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "the body '%s' does not have the digest in the file's name", kind);
    return STATUS_OK;
}

static enum status check_archive(const struct archive *archive, const struct cache_entry *entry,
                                 const char *path, struct error *error)
{
    char name[ARCHIVE_NAME_BYTES];
    write_archive_name(&entry->digests, name);
    if (strcmp(name, archive->name) != 0)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found the archive '%.140s', expected that of the file's name",
                            archive->name);
    TRY(check_body(archive, kind_environment, path, entry->digests.of[CACHE_ENVIRONMENT], error));
    TRY(check_body(archive, kind_weights, path, entry->digests.of[CACHE_WEIGHTS], error));
    if (!archive_find(archive, kind_plan))
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "no body '%s'", kind_plan);
    return STATUS_OK;
}

static enum status read_archive(const char *path, const struct cache_entry *entry,
                                struct archive *archive, struct error *error)
{
    struct text bytes;
    TRY(text_read_file(path, &bytes, error));
    enum status status = archive_read(&bytes, path, archive, error);
    text_free(&bytes);
    return status ? status : check_archive(archive, entry, path, error);
}

enum status plan_cache_verify(const char *path, const struct cache_entry *entry,
                              struct error *error)
{
    struct archive archive = {0};
    enum status status = read_archive(path, entry, &archive, error);
    archive_free(&archive);
    return status;
}

/* Adds the plan to the folder under the key. */
static enum status keep(const struct plan_cache *cache, const struct cache_key *key,
                        const struct text *plan, struct error *error)
{
    struct archive archive = {0};
    struct text bytes = {0};
    bool added;
    write_archive_name(&key->digests, archive.name);
    *archive_add(&archive, kind_environment) = key->environment;
    *archive_add(&archive, kind_plan) = *plan;
    *archive_add(&archive, kind_weights) = key->weights;
    enum status status = archive_write(&archive, &bytes, error);
    if (!status)
        status = cache_folder_add(&cache->folder, &key->digests, &bytes, &added, error);
    text_free(&bytes);
    return status;
}

/* Sets a damaged file aside and reports its name and what is wrong with it. A file that another
   process has removed in the meantime is not reported. */
static void set_aside(const struct plan_cache *cache, const struct cache_entry *entry,
                      const char *path, struct error *fault)
{
    struct error error = ERROR_NONE;
    if (access(path, F_OK) != 0)
        return;
    if (cache_folder_set_aside(&cache->folder, entry->file, &error)) {
        tell(cache, &error);
        return;
    }
    size_t used = strlen(fault->text);
    snprintf(fault->text + used, sizeof fault->text - used, "; set aside, planned anew");
    tell(cache, fault);
}

static enum status take_plan(const struct plan_cache *cache, const struct cache_entry *entry,
                             const struct cache_key *key, const struct job *job,
                             struct outcome *outcome, enum cache_use *use)
{
    struct archive archive = {0};
    struct text path = {0};
    struct error fault = ERROR_NONE;
    enum status status = cache_folder_path(&cache->folder, entry->file, &path, &fault);
    if (!status)
        status = read_archive(path.bytes, entry, &archive, &fault);
    if (!status)
        status =
            cached_plan_read(archive_find(&archive, kind_plan), path.bytes, job, outcome, &fault);
    if (!status && *use == CACHE_REPLACED &&
        keep(cache, key, archive_find(&archive, kind_plan), &fault))
        tell(cache, &fault);
    if (status == STATUS_BAD_INPUT)
        set_aside(cache, entry, path.bytes, &fault);
    else if (status)
        tell(cache, &fault);
    archive_free(&archive);
    text_free(&path);
    return status;
}

/* Looks for a plan under the key. A file that turns out to be damaged is skipped, until a good one
   or none is found. */
static void search(const struct plan_cache *cache, const struct cache_key *key,
                   const struct job *job, struct outcome *outcome, enum cache_use *use)
{
    struct cache_entries entries;
    struct error error = ERROR_NONE;
    const struct cache_entry *entry;
    bool whole;
    *use = CACHE_PLANNED;
    if (cache_folder_list(&cache->folder, &entries, &error)) {
        tell(cache, &error);
        return;
    }
    while (*use == CACHE_PLANNED && (entry = recognise(&entries, &key->digests, &whole))) {
        *use = whole ? CACHE_HIT : CACHE_REPLACED;
        if (take_plan(cache, entry, key, job, outcome, use)) {
            *use = CACHE_PLANNED;
            entries.entry[entry - entries.entry].damaged = true;
        }
    }
    cache_entries_free(&entries);
}

/* Does what plan_cache_find does, but leaves the plan unchecked. */
static enum status load(const struct plan_cache *cache, const struct job *job,
                        struct outcome *outcome, enum cache_use *use, struct error *error)
{
    struct cache_key key;
    enum status status = cache_key_create(&cache->process, job, cache->values, &key, error);
    if (!status)
        search(cache, &key, job, outcome, use);
    cache_key_free(&key);
    return status;
}

static enum status store(const struct plan_cache *cache, const struct job *job,
                         const struct outcome *outcome, struct error *error)
{
    struct cache_key key;
    struct text plan = {0};
    enum status status = cache_key_create(&cache->process, job, cache->values, &key, error);
    if (!status)
        status = cached_plan_write(outcome, &plan, error);
    if (!status)
        status = keep(cache, &key, &plan, error);
    text_free(&plan);
    cache_key_free(&key);
    return status;
}

void plan_cache_store(struct plan_cache *cache, const struct job *job,
                      const struct outcome *outcome)
{
    struct error error = ERROR_NONE;
    if (outcome_found(outcome) && store(cache, job, outcome, &error))
        tell(cache, &error);
}

enum status plan_cache_find(struct plan_cache *cache, const struct job *job,
                            struct outcome *outcome, enum cache_use *use, struct error *error)
{
    TRY(load(cache, job, outcome, use, error));
    if (*use == CACHE_PLANNED)
        return STATUS_OK;
    enum status status = job_check(job, outcome, error);
    if (status)
        outcome_clear(outcome);
    return status;
}

/* Of more buffers the key and the plan are texts of hundreds of megabytes, more than the cache
   holds and than planning takes. */
static bool is_too_large(const struct job *job)
{
    enum { MOST_BUFFERS = 1 << 20 };
    return job->instance->problem && job->instance->problem->buffers > MOST_BUFFERS;
}

enum status plan_cache_run(struct plan_cache *cache, const struct job *job, struct outcome *outcome,
                           enum cache_use *use, struct error *error)
{
    *use = CACHE_OFF;
    if (is_too_large(job))
        cache = NULL;
    if (cache)
        TRY(plan_cache_find(cache, job, outcome, use, error));
    if (*use == CACHE_HIT || *use == CACHE_REPLACED)
        return STATUS_OK;
    TRY(workers_run(job, outcome, error));
    if (cache)
        plan_cache_store(cache, job, outcome);
    return STATUS_OK;
}
