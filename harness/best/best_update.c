#include "harness/best/best_update.h"

#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "core/gzip.h"
#include "harness/best/kept_plans.h"
#include "planning/policies/policy.h"

static const char extension[] = ".csv";
static const char no_plan_kept[] = "no plan was kept, expected a run of bench with --keep-plans";

enum status best_update_open(const char *path, struct best_update *update, struct error *error)
{
    *update = (struct best_update){.path = path};
    if (!file_name_has_extension(path, extension))
        return error_set(error, STATUS_USAGE, "list '%s', expected a .csv file", path);
    return access(path, F_OK) == 0 ? best_list_read(path, &update->list, error) : STATUS_OK;
}

void best_update_close(struct best_update *update)
{
    best_list_free(&update->list);
    text_free(&update->lines);
}

enum status best_update_write(const struct best_update *update, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    TRY(best_list_write(&update->list, &text, error));
    return text_write_file(update->path, &text, error);
}

/* Adds a line, to be printed, that says what was done with a line of the list. */
static void __attribute__((format(printf, 3, 4)))
describe(struct best_update *update, const struct best_known *line, const char *format, ...)
{
    char what[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    text_append(&update->lines, "%s, policy %s%s%s: %s\n", line->instance, line->policy,
                *line->options ? ", " : "", line->options, what);
}

static void refuse(struct best_update *update, const struct best_known *line, const char *reason)
{
    describe(update, line, "refused: %s", reason);
    update->refused++;
}

static bool is_unsafe(const char *policy_name)
{
    const struct policy *policy = policy_find(policy_name);
    return policy && policy->flags & POLICY_UNSAFE;
}

/* Copies the witness into the folder beside the list, whose path is that of the list without
   ".csv", unless it is too large for that, and puts the line into the list. */
static enum status put_witness(struct best_update *update, const struct witness *witness,
                               struct best_known *line, struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    struct stat facts;
    text_append_bytes(&path, update->path, strlen(update->path) - strlen(extension));
    TRY(text_check(&path, error));
    TRY(file_create_folder(path.bytes, error));
    text_append(&path, "/");
    size_t name_at = path.length;
    kept_plans_append_name(&path, line->digest, line->policy, line->options);
    TRY(text_check(&path, error));
    TRY(gzip_write_file(path.bytes, &witness->content, error));
    bool kept = stat(path.bytes, &facts) == 0 && facts.st_size <= BEST_UPDATE_MOST_WITNESS_BYTES;
    if (!kept)
        unlink(path.bytes);
    line->witness = kept ? path.bytes + name_at : "";
    return best_list_put(&update->list, line, error);
}

/* Puts the peak of a witness into its line of the list. */
static enum status put_peak(struct best_update *update, const struct witness *witness,
                            struct best_known *line, struct error *error)
{
    line->peak_bytes = witness->peak_bytes;
    describe(update, line, "peak %llu bytes by %s", (unsigned long long)witness->peak_bytes,
             line->planner);
    update->peaks++;
    return put_witness(update, witness, line, error);
}

static const char *find_refusal(const struct witness *witness, const struct best_known *line)
{
    if (strcmp(witness->policy, line->policy) != 0 ||
        strcmp(witness->options.bytes, line->options) != 0)
        return "the witness is of another policy or other options";
    if (!witness->peak_bytes)
        return "the witness needs no bytes, which no plan can beat";
    if (witness->peak_bytes < line->lower_bound_bytes)
        return "the witness is below the best known bound: one of the two is wrong";
    if (line->peak_bytes && witness->peak_bytes >= line->peak_bytes)
        return "the witness is no better than the best known peak";
    return NULL;
}

/* Makes what is known of a problem into a line of the list, or into one without numbers where
   nothing is known. Its texts are borrowed. */
static struct best_known begin_line(const struct best_found *found, const char *instance)
{
    const struct result_row *row = best_found_row(found);
    if (found->known)
        return *found->known;
    return (struct best_known){.instance = instance,
                               .digest = row->digest,
                               .policy = row->policy,
                               .options = found->options,
                               .planner = "",
                               .prover = "",
                               .proof = "",
                               .witness = ""};
}

/* Puts into the line of an optimum who checked it, if that is worth more than what is there. */
static enum status take_proof(struct best_update *update, const struct best_found *found,
                              struct error *error)
{
    const struct result_row *proof = found->proof;
    const struct best_known *known = best_list_find(&update->list, best_found_row(found)->digest,
                                                    best_found_row(found)->policy, found->options);
    if (!proof || !known || known->peak_bytes != found->proved_bytes ||
        known->lower_bound_bytes != known->peak_bytes ||
        best_rank_proof(proof->proof) <= best_rank_proof(known->proof))
        return STATUS_OK;
    struct best_known line = *known;
    line.proof = proof->proof;
    line.proof_digest = proof->proof_digest;
    describe(update, &line, "proof %s", line.proof);
    update->proofs++;
    return best_list_put(&update->list, &line, error);
}

/* The last two parts of a path to a file. A name that is no path stays as it is. */
static const char *shorten_path(const char *path)
{
    const char *at = path + strlen(path);
    if (*path != '/')
        return path;
    for (int parts = 0; at > path; at--)
        if (at[-1] == '/' && ++parts == 2)
            break;
    return at;
}

/* Takes the peak of a plan that was kept, if it is what the row says. */
static enum status take_peak(struct best_update *update, const struct best_found *found,
                             const char *path, struct best_known line, struct error *error)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(witness_free) struct witness witness = {0};
    struct error reason = ERROR_NONE;
    TRY(update->load(update->load_context, found->peak->path, &instance, error));
    enum status status = witness_read(instance, path, &witness, &reason);
    if (status == STATUS_INTERNAL) {
        *error = reason;
        return status;
    }
    const char *refusal = status ? reason.text : find_refusal(&witness, &line);
    if (refusal) {
        refuse(update, &line, refusal);
        return STATUS_OK;
    }
    line.planner = witness.planner;
    line.since = found->peak->started;
    return put_peak(update, &witness, &line, error);
}

static enum status take_values(struct best_update *update, const struct best_found *given,
                               const char *folder, struct error *error)
{
    struct best_found found = *given;
    const struct result_row *row = best_found_row(&found);
    const char *instance = shorten_path(row->path);
    SCOPED(text_free) struct text plan = {0};
    if (is_unsafe(row->policy))
        return STATUS_OK;
    found.known = best_list_find(&update->list, row->digest, row->policy, found.options);
    if (best_found_contradicts(&found)) {
        refuse(update, found.known, "contradicts the best known values");
        return STATUS_OK;
    }
    text_append(&plan, "%s/", folder);
    kept_plans_append_name(&plan, row->digest, row->policy, found.options);
    TRY(text_check(&plan, error));
    /* Takes the bound first, since the peak of the witness is then compared with it. */
    if (found.known ? best_found_improves_bound(&found) : found.bound != NULL) {
        const struct result_row *bound = found.bound;
        struct best_known line = begin_line(&found, instance);
        line.lower_bound_bytes = bound->lower_bound_bytes;
        line.prover = bound->lower_bound_bytes == bound->load_bytes ? BEST_BY_LOAD : bound->planner;
        line.since = bound->started;
        describe(update, &line, "bound %llu bytes by %s",
                 (unsigned long long)line.lower_bound_bytes, line.prover);
        update->bounds++;
        TRY(best_list_put(&update->list, &line, error));
    }
    /* Every change of the list moves its lines, so pointers to them are found again. */
    found.known = best_list_find(&update->list, row->digest, row->policy, found.options);
    if (!found.peak || (found.known && !best_found_improves_peak(&found)))
        return STATUS_OK;
    const struct best_known line = begin_line(&found, instance);
    if (access(plan.bytes, F_OK) == 0)
        return take_peak(update, &found, plan.bytes, line, error);
    refuse(update, &line, no_plan_kept);
    return STATUS_OK;
}

enum status best_update_take(struct best_update *update, const struct best_found *given,
                             const char *folder, struct error *error)
{
    TRY(take_values(update, given, folder, error));
    return take_proof(update, given, error);
}

/* The time, in UTC, ISO 8601. */
enum { TIME_BYTES = 32 };
static void write_time(char text[TIME_BYTES])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

enum status best_update_take_file(struct best_update *update, const char *path,
                                  const struct instance *instance, const char *planner,
                                  struct error *error)
{
    SCOPED(witness_free) struct witness witness = {0};
    TRY(witness_read(instance, path, &witness, error));
    const struct best_known *known =
        best_list_find(&update->list, instance->digest, witness.policy, witness.options.bytes);
    char today[TIME_BYTES];
    struct best_known line = {.instance = shorten_path(instance->path),
                              .digest = instance->digest,
                              .policy = witness.policy,
                              .options = witness.options.bytes,
                              .prover = "",
                              .proof = ""};
    if (known)
        line = *known;
    line.planner = planner ? planner : witness.planner;
    write_time(today);
    line.since = today;
    const char *refusal = find_refusal(&witness, &line);
    if (is_unsafe(line.policy))
        refusal = "the policy is unsafe";
    if (refusal)
        return error_set_at(error, STATUS_NO, witness.path, 0, "%s", refusal);
    return put_peak(update, &witness, &line, error);
}

/* What is known of a problem with several memories, or a line without numbers. */
static struct best_known begin_cost_line(const struct best_update *update,
                                         const struct memory_instance *instance)
{
    const struct best_known *known =
        best_list_find(&update->list, instance->digest, BEST_MEMORIES, "");
    return known ? *known
                 : (struct best_known){.instance = shorten_path(instance->name),
                                       .policy = BEST_MEMORIES,
                                       .options = "",
                                       .planner = "",
                                       .prover = "",
                                       .proof = "",
                                       .digest = instance->digest};
}

/* Puts the cost of a witness into its line, if it is less than what is known and not below what is
   proved. */
static enum status put_cost(struct best_update *update, const struct witness *witness,
                            struct best_known *line, struct error *error)
{
    SCOPED(text_free) struct text cost = {0};
    if (witness->cost >= best_cost(line) || witness->cost < best_cost_bound(line)) {
        refuse(update, line,
               witness->cost < best_cost_bound(line)
                   ? "the witness is below the best known bound: one of the two is wrong"
                   : "the witness is no better than the best known cost");
        return STATUS_OK;
    }
    memory_file_write_cost(witness->cost, &cost);
    TRY(text_check(&cost, error));
    line->cost = cost.bytes;
    describe(update, line, "cost %s by %s", line->cost, line->planner);
    update->costs++;
    return put_witness(update, witness, line, error);
}

/* The least cost and the greatest bound of any planner. */
struct cost_found {
    const struct measure *cost, *bound; /* NULL: none */
    uint64_t cost_value, bound_value;
};

static struct cost_found find_costs(const struct measure_set *set, const char *digest)
{
    struct cost_found found = {.cost_value = UINT64_MAX};
    for (uint32_t i = 0; i < set->count; i++) {
        const struct measure *measure = &set->measure[i];
        bool refutes = strcmp(measure->name, "infeasible") == 0 && measure->value;
        uint64_t value = refutes ? UINT64_MAX : (uint64_t)measure->value;
        if (strcmp(measure->digest, digest) != 0)
            continue;
        if (strcmp(measure->name, "cost") == 0 && value < found.cost_value) {
            found.cost = measure;
            found.cost_value = value;
        } else if ((refutes || strcmp(measure->name, "cost_bound") == 0) &&
                   (!found.bound || value > found.bound_value)) {
            found.bound = measure;
            found.bound_value = value;
        }
    }
    return found;
}

/* Puts the bound into the line, if it is better than what is known. */
static enum status put_bound(struct best_update *update, const struct cost_found *found,
                             struct best_known *line, struct error *error)
{
    SCOPED(text_free) struct text bound = {0};
    if (!found->bound ||
        (line->cost_bound && *line->cost_bound && found->bound_value <= best_cost_bound(line)))
        return STATUS_OK;
    if (found->bound_value == UINT64_MAX)
        text_append(&bound, "%s", BEST_INFINITE);
    else
        memory_file_write_cost(found->bound_value, &bound);
    TRY(text_check(&bound, error));
    line->cost_bound = bound.bytes;
    line->prover = found->bound->variant;
    line->since = found->bound->started;
    describe(update, line, "cost bound %s by %s", line->cost_bound, line->prover);
    update->bounds++;
    return best_list_put(&update->list, line, error);
}

enum status best_update_take_costs(struct best_update *update, const struct measure_set *set,
                                   const struct memory_instance *instance, const char *folder,
                                   struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    SCOPED(witness_free) struct witness witness = {0};
    struct error reason = ERROR_NONE;
    const struct cost_found found = find_costs(set, instance->digest);
    struct best_known line = begin_cost_line(update, instance);
    uint64_t cost = best_cost(&line), bound = best_cost_bound(&line);
    if ((found.cost_value < cost ? found.cost_value : cost) <
        (found.bound_value > bound ? found.bound_value : bound)) {
        refuse(update, &line, "contradicts the best known values");
        return STATUS_OK;
    }
    TRY(put_bound(update, &found, &line, error));
    if (found.cost_value >= cost)
        return STATUS_OK;
    line = begin_cost_line(update, instance); /* every change of the list moves its lines */
    line.planner = found.cost->variant;
    line.since = found.cost->started;
    text_append(&path, "%s/", folder);
    kept_plans_append_name(&path, instance->digest, BEST_MEMORIES, "");
    TRY(text_check(&path, error));
    if (access(path.bytes, F_OK) != 0) {
        refuse(update, &line, no_plan_kept);
        return STATUS_OK;
    }
    enum status status = witness_read_memories(&instance->file, path.bytes, &witness, &reason);
    if (!status)
        return put_cost(update, &witness, &line, error);
    if (status == STATUS_NO)
        refuse(update, &line, reason.text);
    else
        *error = reason;
    return status == STATUS_NO ? STATUS_OK : status;
}

enum status best_update_take_cost_file(struct best_update *update, const char *path,
                                       const struct memory_instance *instance, const char *planner,
                                       struct error *error)
{
    SCOPED(witness_free) struct witness witness = {0};
    char today[TIME_BYTES];
    struct best_known line = begin_cost_line(update, instance);
    line.planner = planner;
    write_time(today);
    line.since = today;
    TRY(witness_read_memories(&instance->file, path, &witness, error));
    return put_cost(update, &witness, &line, error);
}
