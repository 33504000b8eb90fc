#include "harness/proofs/kept_proofs.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/process/subprocess.h"
#include "harness/proofs/prove.h"

/* The checkers in the order in which they are asked, and what a log is that they accept. */
static const struct {
    const char *name;
    enum proof_state state;
    size_t time_at; /* in struct proof_facts */
} checkers[KEPT_PROOFS_CHECKERS] = {
    {"memplan-check", PROOF_CHECKED, offsetof(struct proof_facts, check_ns)},
    {"memplan-check-verified", PROOF_VERIFIED, offsetof(struct proof_facts, verify_ns)},
};

/* What a checker says by its exit code. */
enum { EXIT_REFUSED = 1, EXIT_UNREADABLE = 3 };

/* Checking takes about as long as the search, and the verified checker more. */
static const uint64_t MOST_CHECK_NS = UINT64_C(600) * 1000000000;

/* Finds a program beside this one; its name alone, for PATH, where it is not there. */
static char *find_program(const char *name)
{
    char path[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return memory_copy_text(name);
    snprintf(slash + 1, 64, "%s", name);
    return memory_copy_text(access(path, X_OK) == 0 ? path : name);
}

enum status kept_proofs_open(const char *database, struct kept_proofs *kept, struct error *error)
{
    SCOPED(text_free) struct text folder = {0};
    text_append(&folder, "%s.proofs", database);
    TRY(text_check(&folder, error));
    kept->folder = memory_copy_text(folder.bytes);
    for (int i = 0; i < KEPT_PROOFS_CHECKERS; i++)
        if (!(kept->checker[i] = find_program(checkers[i].name)))
            return error_no_memory(error);
    return kept->folder ? file_create_folder(kept->folder, error) : error_no_memory(error);
}

void kept_proofs_close(struct kept_proofs *kept)
{
    names_free(&kept->claim);
    memory_free(kept->facts);
    memory_free(kept->folder);
    for (int i = 0; i < KEPT_PROOFS_CHECKERS; i++)
        memory_free(kept->checker[i]);
    *kept = (struct kept_proofs){0};
}

static void set_reason(struct proof_facts *facts, enum proof_state state, const char *reason)
{
    facts->state = state;
    snprintf(facts->reason, sizeof facts->reason, "%.*s", (int)sizeof facts->reason - 1, reason);
}

/* Whether what a checker printed says that no plan fits this capacity. */
static bool says_refuted(FILE *output, uint64_t capacity_bytes)
{
    char line[64], expected[64];
    snprintf(expected, sizeof expected, "refuted %" PRIu64 "\n", capacity_bytes);
    rewind(output);
    return fgets(line, sizeof line, output) && strcmp(line, expected) == 0;
}

/* Asks a checker; one that is not installed changes nothing. */
static enum status ask_checker(const struct kept_proofs *kept, int checker, char *problem,
                               char *log, uint64_t capacity_bytes, struct proof_facts *facts,
                               struct error *error)
{
    char *words[] = {kept->checker[checker], problem, log, NULL};
    struct subprocess_result result;
    FILE *output = tmpfile();
    if (!output)
        return error_set(error, STATUS_LIMIT, "cannot make a temporary file: %s", strerror(errno));
    const struct subprocess_task task = {.words = words,
                                         .output = fileno(output),
                                         .errors = SUBPROCESS_KEPT,
                                         .deadline_ns = clock_deadline_ns(MOST_CHECK_NS)};
    uint64_t began_ns = clock_monotonic_ns();
    enum status status = subprocess_run(&task, &result, error);
    bool accepts = !status && !result.exit_code && says_refuted(output, capacity_bytes);
    uint64_t taken_ns = clock_monotonic_ns() - began_ns;
    fclose(output);
    TRY(status);
    text_free(&result.answer);
    if (result.start_errno)
        return STATUS_OK;
    if (result.out_of_time || result.signal ||
        (result.exit_code && result.exit_code != EXIT_REFUSED &&
         result.exit_code != EXIT_UNREADABLE)) {
        snprintf(facts->reason, sizeof facts->reason, "%s came to no end", checkers[checker].name);
    } else if (accepts) {
        memcpy((char *)facts + checkers[checker].time_at, &taken_ns, sizeof taken_ns);
        facts->state = checkers[checker].state;
    } else {
        set_reason(facts, PROOF_REFUSED,
                   *result.complaint ? result.complaint : "it is of another capacity");
    }
    return STATUS_OK;
}

static enum status check(const struct kept_proofs *kept, const char *name, uint64_t capacity_bytes,
                         const struct text *problem, const struct text *log,
                         struct proof_facts *facts, struct error *error)
{
    SCOPED(text_free) struct text problem_path = {0}, log_path = {0};
    text_append(&problem_path, "%s/%s.json", kept->folder, name);
    text_append(&log_path, "%s/%s.mpb", kept->folder, name);
    TRY(text_check(&problem_path, error));
    TRY(text_check(&log_path, error));
    TRY(text_write_file(problem_path.bytes, problem, error));
    TRY(text_write_file(log_path.bytes, log, error));
    for (int i = 0; i < KEPT_PROOFS_CHECKERS && facts->state != PROOF_REFUSED; i++)
        TRY(ask_checker(kept, i, problem_path.bytes, log_path.bytes, capacity_bytes, facts, error));
    return STATUS_OK;
}

static enum status prove(const struct kept_proofs *kept, const struct job *job,
                         const struct outcome *outcome, const char *name, struct proof_facts *facts,
                         struct error *error)
{
    SCOPED(proof_free) struct proof proof = {0};
    SCOPED(text_free) struct text problem = {0};
    struct error reason = ERROR_NONE;
    uint64_t began_ns = clock_monotonic_ns();
    enum status status = prove_outcome(job, outcome, PROOF_BINARY, &problem, &proof, &reason);
    *facts = (struct proof_facts){.state = PROOF_LOGGED,
                                  .log_ns = clock_monotonic_ns() - began_ns,
                                  .log_bytes = proof.text.length};
    if (status || proof.why_not) {
        set_reason(facts, status == STATUS_INTERNAL ? PROOF_REFUSED : PROOF_NONE,
                   status ? reason.text : proof.why_not);
        return STATUS_OK;
    }
    digest_bytes(proof.text.bytes, proof.text.length, facts->digest);
    return check(kept, name, prove_capacity(job, outcome), &problem, &proof.text, facts, error);
}

enum status kept_proofs_add(void *context, const struct job *job, struct outcome *outcome,
                            struct error *error)
{
    struct kept_proofs *kept = context;
    const char *obstacle = prove_obstacle(job, outcome);
    char name[128];
    if (obstacle) {
        set_reason(&outcome->proof, PROOF_NONE, obstacle);
        return STATUS_OK;
    }
    snprintf(name, sizeof name, "%.16s-%s-%" PRIu64, job->instance->digest, job_policy_name(job),
             prove_capacity(job, outcome));
    uint32_t claim = names_find(&kept->claim, name);
    if (claim == NAMES_NONE) {
        claim = kept->claim.count;
        TRY(memory_reserve(&kept->facts, &kept->capacity, (size_t)claim + 1, sizeof *kept->facts,
                           error));
        TRY(prove(kept, job, outcome, name, &kept->facts[claim], error));
        TRY(names_add(&kept->claim, name, error));
    }
    outcome->proof = kept->facts[claim];
    return STATUS_OK;
}
