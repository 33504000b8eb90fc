/* Problems and logs for proofs.py: which log is written, and which files memplan-check accepts. */
#include "datasets/json/fields.h"
#include "datasets/memplan_json/problem.h"
#include "oracles/claims.h"
#include "proofs/checker/checker.h"
#include "solvers/proof/proof.h"

static void write_text(const char *key, const struct text *text, FILE *out)
{
    fprintf(out, "\"%s\": \"", key);
    for (size_t i = 0; i < text->length; i++)
        if (text->bytes[i] == '\n')
            fputs("\\n", out);
        else
            fputc(text->bytes[i], out);
    fputs("\"", out);
}

static enum status write_formula(const struct problem *problem, uint64_t capacity, FILE *out,
                                 struct error *error)
{
    SCOPED(text_free) struct text formula = {0};
    const char *why_not;
    TRY(proof_write_formula(problem, capacity, &formula, &why_not, error));
    fputs("{", out);
    if (why_not)
        fprintf(out, "\"unchecked\": \"%s\"", why_not);
    else
        write_text("formula", &formula, out);
    fputs("}", out);
    return STATUS_OK;
}

static enum status write_log(const struct json_reader *reader, FILE *out)
{
    const struct json_value *veripb = json_fields_get(reader, reader->document->root, "veripb");
    SCOPED(proof_free) struct proof proof = {0};
    SCOPED(problem_release) struct problem *problem = NULL;
    struct json_document part = *reader->document;
    int64_t capacity;
    part.root = json_fields_get(reader, reader->document->root, "problem");
    TRY(json_fields_integer(reader, reader->document->root, "capacity", json_at_least(0),
                            &capacity));
    TRY(problem_json_read_document(&part, false, &problem, reader->error));
    if (json_fields_get(reader, reader->document->root, "opb"))
        return write_formula(problem, (uint64_t)capacity, out, reader->error);
    const struct proof_request request = {(uint64_t)capacity, UINT64_MAX,
                                          veripb ? PROOF_VERIPB : PROOF_TEXT};
    TRY(proof_create(problem, &request, &proof, reader->error));
    if (proof.why_not) {
        fprintf(out, "{\"unchecked\": \"%s\"}", proof.why_not);
        return STATUS_OK;
    }
    fputs("{", out);
    write_text("log", &proof.text, out);
    fputs(", ", out);
    write_text("formula", &proof.formula, out);
    fputs("}", out);
    return STATUS_OK;
}

static enum status check_logs(const struct json_reader *reader, const char *problem,
                              const struct json_value *logs, FILE *out)
{
    const char *path, *separator = "";
    fputs("{\"accepted\": [", out);
    JSON_EACH(log, logs) {
        struct check_answer answer;
        TRY(json_fields_value_text(reader, log, "a log", &path));
        fprintf(out, "%s%s", separator,
                check_files(problem, path, NULL, &answer) ? "true" : "false");
        separator = ", ";
    }
    fputs("]}", out);
    return STATUS_OK;
}

static enum status answer_document(const struct json_document *document, FILE *out,
                                   struct error *error)
{
    const struct json_reader reader = {document, error};
    const struct json_value *logs;
    const char *path;
    TRY(json_fields_optional_text(&reader, document->root, "file", &path));
    if (!path)
        return write_log(&reader, out);
    TRY(json_fields_array(&reader, document->root, "logs", &logs));
    return check_logs(&reader, path, logs, out);
}

enum status claims_answer(const char *text, size_t length, FILE *out, struct error *error)
{
    SCOPED(text_free) struct text line = {0};
    struct json_document *document;
    text_append_bytes(&line, text, length);
    TRY(json_document_read(&line, "case", &document, error));
    enum status status = answer_document(document, out, error);
    json_document_free(document);
    return status;
}
