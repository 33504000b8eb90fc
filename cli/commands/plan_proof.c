#include "cli/commands/plan_proof.h"
#include "cli/output/print.h"

#include <inttypes.h>
#include <string.h>

#include "core/file.h"
#include "datasets/json/build.h"
#include "harness/proofs/prove.h"

/* FILE.opb beside FILE.pbp. */
static enum status write_formula(const char *proof, const struct text *formula, struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    text_append(&path, "%.*s.opb", (int)(strlen(proof) - strlen(".pbp")), proof);
    TRY(text_check(&path, error));
    return text_write_file(path.bytes, formula, error);
}

enum status plan_proof_write(const struct arguments *arguments, const struct job *job,
                             const struct outcome *outcome, struct json_tree *facts,
                             struct error *error)
{
    SCOPED(proof_free) struct proof proof = {0};
    char digest[DIGEST_TEXT_BYTES];
    enum proof_form form = file_name_has_extension(arguments->proof, ".pbp")   ? PROOF_VERIPB
                           : file_name_has_extension(arguments->proof, ".mpb") ? PROOF_BINARY
                                                                               : PROOF_TEXT;
    TRY(prove_outcome(job, outcome, form, NULL, &proof, error));
    if (facts)
        json_build_text(facts, "proof", proof.why_not ? "unchecked" : "logged");
    if (proof.why_not) {
        if (facts)
            json_build_text(facts, "unchecked", proof.why_not);
        else
            print_lines("proof        unchecked: %s\n", proof.why_not);
        return error_set(error, STATUS_LIMIT, "no proof was written: %s", proof.why_not);
    }
    digest_bytes(proof.text.bytes, proof.text.length, digest);
    TRY(text_write_file(arguments->proof, &proof.text, error));
    if (form == PROOF_VERIPB)
        TRY(write_formula(arguments->proof, &proof.formula, error));
    if (facts) {
        json_build_text(facts, "proof_digest", digest);
        json_build_count(facts, "proof_bytes", proof.text.length);
        json_build_count(facts, "proof_clauses", proof.kept);
        json_build_count(facts, "learned_clauses", proof.learned);
        return STATUS_OK;
    }
    print_lines("proof        logged: %" PRIu64 " of %" PRIu64 " clauses, %zu bytes\n", proof.kept,
                proof.learned, proof.text.length);
    return STATUS_OK;
}
