#include "carried_plan.h"
#include "datasets/executorch/executorch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return carried_plan_check(executorch_read, data, size);
}
