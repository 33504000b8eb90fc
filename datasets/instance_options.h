#ifndef MEMPLAN_DATASETS_INSTANCE_OPTIONS_H
#define MEMPLAN_DATASETS_INSTANCE_OPTIONS_H

#include "datasets/csv/dialect.h"
#include "datasets/onnx/read.h"
#include "planning/problem/fixed_offsets.h"

/* How a file is to be read. */
struct instance_options {
    enum fixed_offsets offsets;        /* of .csv and .json files */
    const struct csv_dialect *dialect; /* of .csv files, NULL: MiniMalloc's */
    enum csv_lifetimes lifetimes;      /* of .csv files, 0: as the dialect says */
    struct model_options model;
};

#endif
