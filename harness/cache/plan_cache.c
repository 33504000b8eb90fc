#include "harness/cache/plan_cache.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "harness/cache/cached_plan.h"
#include "harness/job/run.h"
#include "harness/job/workers.h"

/* The linker's name for the first bytes of this program. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

static const char kind_environment[] = "environment", kind_plan[] = "plan",
                  kind_weights[] = "weights";

const char *cache_use_name(enum cache_use use)
{
    static const char *const names[] = {"off",     "hit",      "weights replaced",
                                        "planned", "improved", "kept, planned again"};
    return names[use];
}

/* What the addresses of the program's headers count from: its first byte, where it is placed while
   it is loaded; zero, where the linker fixed its place. */
static uintptr_t find_base(const ElfW(Ehdr) * header, const ElfW(Phdr) * segment)
{
    for (int i = 0; i < header->e_phnum; i++)
        if (segment[i].p_type == PT_LOAD && segment[i].p_offset == 0)
            return (uintptr_t)header - segment[i].p_vaddr;
    return (uintptr_t)header;
}

/* The build id that the linker computed from the program's content; false where it made none. */
static bool read_build_id(char text[DIGEST_TEXT_BYTES])
{
    const ElfW(Ehdr) *header = (const void *)__ehdr_start;
    const ElfW(Phdr) *segment = (const void *)(__ehdr_start + header->e_phoff);
    uintptr_t base = find_base(header, segment);
    for (int i = 0; i < header->e_phnum; i++) {
        if (segment[i].p_type != PT_NOTE)
            continue;
        const char *at = (const char *)(base + segment[i].p_vaddr), *end = at + segment[i].p_memsz;
        while (at < end) {
            const ElfW(Nhdr) *note = (const void *)at;
            const char *name = at + sizeof *note, *id = name + (note->n_namesz + 3U) / 4 * 4;
            if (note->n_type == NT_GNU_BUILD_ID && strcmp(name, ELF_NOTE_GNU) == 0 &&
                note->n_descsz * 2 < DIGEST_TEXT_BYTES) {
                for (unsigned byte = 0; byte < note->n_descsz; byte++)
                    snprintf(text + byte * 2, 3, "%02x", (unsigned char)id[byte]);
                return true;
            }
            at = id + (note->n_descsz + 3U) / 4 * 4;
        }
    }
    return false;
}

enum status plan_cache_open_in(const char *path, uint64_t most_bytes,
                               const struct plan_cache_setup *setup, struct plan_cache **opened,
                               struct error *error)
{
    SCOPED(plan_cache_release) struct plan_cache *cache = NULL;
    TRY(memory_create(&cache, 1, sizeof *cache, error));
    cache->warn = setup->warn;
    snprintf(cache->process.hardware, sizeof cache->process.hardware, "%s", setup->hardware);
    TRY(cache_file_open(path, most_bytes, &cache->file, error));
    if (!read_build_id(cache->process.program))
        TRY(digest_file("/proc/self/exe", cache->process.program, error));
    HAND_OVER(cache, opened);
}

void plan_cache_close(struct plan_cache *cache)
{
    if (!cache)
        return;
    cache_file_close(cache->file);
    memory_free(cache);
}

enum status plan_cache_open(const struct plan_cache_setup *setup, struct plan_cache **cache,
                            struct error *error)
{
    const char *disable = getenv("MEMPLAN_CACHE_DISABLE");
    const char *limit = getenv("MEMPLAN_CACHE_MAX_BYTES");
    const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool disabled = disable && strcmp(disable, "1") == 0;
    SCOPED(text_free) struct text path = {0};
    struct error found = ERROR_NONE;
    uint64_t most_bytes = UINT64_C(256) << 20;
    *cache = NULL;
    if (disable && *disable && !disabled && strcmp(disable, "0") != 0)
        return error_set(error, STATUS_USAGE, "MEMPLAN_CACHE_DISABLE is '%s', expected 0 or 1",
                         disable);
    if (limit && *limit && !text_parse_bytes(limit, &most_bytes))
        return error_set(error, STATUS_USAGE, "MEMPLAN_CACHE_MAX_BYTES is '%s', expected bytes",
                         limit);
    if (disabled)
        return STATUS_OK;
    if (caches && *caches == '/')
        text_append(&path, "%s/memplan", caches);
    else if (home && *home == '/')
        text_append(&path, "%s/.cache/memplan", home);
    if (path.bytes && plan_cache_open_in(path.bytes, most_bytes, setup, cache, &found)) {
        *cache = NULL;
        setup->warn(&found);
    }
    return STATUS_OK;
}

static void tell(const struct plan_cache *cache, const struct error *error)
{
    if (error->status)
        cache->warn(error);
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
    digest_bytes(text->bytes, text->length, found);
    if (strcmp(found, digest) != 0)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "the body '%s' does not have the digest of its entry", kind);
    return STATUS_OK;
}

/* Reads the archive of an entry and checks that it is the one that was kept there. */
static enum status read_archive(const char *path, const struct cache_entry *entry,
                                struct archive *archive, struct error *error)
{
    SCOPED(text_free) struct text place = {0};
    char name[ARCHIVE_NAME_BYTES];
    text_append(&place, "%s, plan %llu", path, (unsigned long long)entry->sequence);
    TRY(text_check(&place, error));
    TRY(archive_read(&entry->archive, place.bytes, archive, error));
    write_archive_name(&entry->digests, name);
    if (strcmp(name, archive->name) != 0)
        return error_set_at(error, STATUS_BAD_INPUT, place.bytes, 0,
                            "found the archive '%.140s', expected that of its entry",
                            archive->name);
    TRY(check_body(archive, kind_environment, place.bytes, entry->digests.of[CACHE_ENVIRONMENT],
                   error));
    TRY(check_body(archive, kind_weights, place.bytes, entry->digests.of[CACHE_WEIGHTS], error));
    if (!archive_find(archive, kind_plan))
        return error_set_at(error, STATUS_BAD_INPUT, place.bytes, 0, "no body '%s'", kind_plan);
    return STATUS_OK;
}

enum status plan_cache_verify(const char *path, const struct cache_entry *entry,
                              struct error *error)
{
    SCOPED(archive_free) struct archive archive = {0};
    return read_archive(path, entry, &archive, error);
}

/* Adds the plan to the file under the key. */
static enum status keep(const struct plan_cache *cache, const struct cache_key *key,
                        const struct text *plan, struct error *error)
{
    struct archive archive = {0};
    SCOPED(text_free) struct text bytes = {0};
    write_archive_name(&key->digests, archive.name);
    *archive_add(&archive, kind_environment) = key->environment;
    *archive_add(&archive, kind_plan) = *plan;
    *archive_add(&archive, kind_weights) = key->weights;
    TRY(archive_write(&archive, &bytes, error));
    return cache_file_add(cache->file, &key->digests, &bytes, error);
}

/* Takes the plan of an entry. A damaged entry is set aside, and it is told which one it is and what
   is wrong with it. */
static enum status take_plan(const struct plan_cache *cache, const struct cache_entry *entry,
                             const struct cache_key *key, const struct job *job,
                             struct outcome *outcome, enum cache_use use)
{
    SCOPED(archive_free) struct archive archive = {0};
    struct error fault = ERROR_NONE, other = ERROR_NONE;
    const char *path = cache_file_path(cache->file);
    enum status status = read_archive(path, entry, &archive, &fault);
    if (!status)
        status = cached_plan_read(archive_find(&archive, kind_plan), path, job, outcome, &fault);
    if (!status && use == CACHE_REPLACED)
        keep(cache, key, archive_find(&archive, kind_plan), &fault);
    if (status == STATUS_BAD_INPUT) {
        size_t used = strlen(fault.text);
        snprintf(fault.text + used, sizeof fault.text - used, "; set aside, planned again");
        if (cache_file_set_aside(cache->file, entry->sequence, &other))
            fault = other;
    }
    tell(cache, &fault);
    return status;
}

/* Looks for any plan of the job and checks it: CACHE_HIT or CACHE_REPLACED; else CACHE_PLANNED. An
   entry that turns out to be damaged is skipped, until a good one or none is found. */
static enum status find_kept(struct plan_cache *cache, const struct job *job,
                             struct outcome *outcome, enum cache_use *use, struct error *error)
{
    SCOPED(cache_key_free) struct cache_key key = {0};
    struct error fault = ERROR_NONE;
    bool found = true, whole = false;
    *use = CACHE_PLANNED;
    TRY(cache_key_create(&cache->process, job, cache->values, &key, error));
    while (found && *use == CACHE_PLANNED) {
        struct cache_entry entry;
        if (cache_file_find(cache->file, &key.digests, &entry, &found, &whole, &fault)) {
            tell(cache, &fault);
            found = false;
        }
        enum cache_use possible = whole ? CACHE_HIT : CACHE_REPLACED;
        if (found && !take_plan(cache, &entry, &key, job, outcome, possible))
            *use = possible;
        text_free(&entry.archive);
    }
    if (*use == CACHE_PLANNED)
        return STATUS_OK;
    enum status status = job_check(job, outcome, error);
    if (status)
        outcome_clear(outcome);
    return status;
}

void plan_cache_store(struct plan_cache *cache, const struct job *job,
                      const struct outcome *outcome)
{
    SCOPED(cache_key_free) struct cache_key key = {0};
    SCOPED(text_free) struct text plan = {0};
    struct error error = ERROR_NONE;
    /* A plan of an unsafe planner that is none of its policy is not kept:
       an entry cannot say so. */
    if (!outcome_found(outcome) || outcome->verdict.fault == VERIFY_NOT_OF_POLICY)
        return;
    if (cache_key_create(&cache->process, job, cache->values, &key, &error) ||
        cached_plan_write(outcome, &plan, &error) || keep(cache, &key, &plan, &error))
        tell(cache, &error);
}

/* Whether planning again could find more. A rule always makes the same plan; a search may have been
   cut short by its time limit or by other work on the machine. */
static bool is_open(const struct job *job, const struct outcome *outcome)
{
    return job->planner->flags & (PLANNER_EXACT | PLANNER_SEARCHES) &&
           outcome->status == PLAN_FEASIBLE;
}

static bool is_better(const struct outcome *planned, const struct outcome *kept)
{
    if (!outcome_is_good(planned) || !outcome_is_good(kept))
        return outcome_is_good(planned) || !outcome_found(kept);
    if (planned->measures.peak_bytes != kept->measures.peak_bytes)
        return planned->measures.peak_bytes < kept->measures.peak_bytes;
    return planned->measures.lower_bound_bytes > kept->measures.lower_bound_bytes;
}

enum status plan_cache_find(struct plan_cache *cache, const struct job *job,
                            struct outcome *outcome, enum cache_use *use, struct error *error)
{
    TRY(find_kept(cache, job, outcome, use, error));
    if (*use != CACHE_PLANNED && is_open(job, outcome)) {
        outcome_clear(outcome);
        *use = CACHE_PLANNED;
    }
    return STATUS_OK;
}

enum status plan_cache_run(struct plan_cache *cache, const struct job *job, struct outcome *outcome,
                           enum cache_use *use, struct error *error)
{
    enum { MOST_BUFFERS = 1 << 20 };
    const struct problem *problem = job->instance->problem;
    *use = CACHE_OFF;
    /* For more buffers the key and the plan are texts of hundreds of megabytes: the cache does not
       hold so many, and writing them takes longer than planning. */
    if (!cache || (problem && problem->buffers > MOST_BUFFERS))
        return workers_run(job, outcome, error);
    TRY(find_kept(cache, job, outcome, use, error));
    if (*use == CACHE_PLANNED) {
        TRY(workers_run(job, outcome, error));
        plan_cache_store(cache, job, outcome);
        return STATUS_OK;
    }
    if (!is_open(job, outcome))
        return STATUS_OK;
    /* Plans again from the plan that was kept, which stays where it is not improved. */
    SCOPED(outcome_clear) struct outcome kept = *outcome;
    struct job again = *job;
    again.incumbent = kept.plan && !kept.plan->extents ? kept.plan : NULL;
    *outcome = (struct outcome){0};
    TRY(workers_run(&again, outcome, error));
    *use = is_better(outcome, &kept) ? CACHE_IMPROVED : CACHE_KEPT;
    if (*use == CACHE_IMPROVED) {
        plan_cache_store(cache, job, outcome);
    } else {
        struct outcome worse = *outcome;
        *outcome = kept;
        kept = worse;
    }
    return STATUS_OK;
}
