#include "carried_plan.h"
#include "datasets/hlo/hlo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return carried_plan_check(hlo_read, data, size);
}
