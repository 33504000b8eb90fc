#include "carried_plan.h"
#include "datasets/cuda_snapshot/cuda_snapshot.h"
#include "datasets/pytorch/pytorch.h"

static enum status read_snapshot(const struct text *text, const char *file,
                                 const struct carried_choice *choice, struct carried *carried,
                                 struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read_sparing(text, file, &pytorch_spare, &document, error));
    return cuda_snapshot_read(document, choice, carried, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return carried_plan_check(read_snapshot, data, size);
}
