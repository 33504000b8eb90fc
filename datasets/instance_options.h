#ifndef MEMPLAN_DATASETS_INSTANCE_OPTIONS_H
#define MEMPLAN_DATASETS_INSTANCE_OPTIONS_H

#include <stdbool.h>

#include "datasets/csv/dialect.h"
#include "datasets/onnx/read.h"

/* How a file is to be read. */
struct instance_options {
    bool ignore_offsets; /* buffers with a fixed offset in the file become free to move */
    const struct csv_dialect *dialect; /* of .csv files, NULL: MiniMalloc's */
    enum csv_lifetimes lifetimes;      /* of .csv files, 0: as the dialect says */
    struct model_options model;
};

#endif
