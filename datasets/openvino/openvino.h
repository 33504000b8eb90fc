#ifndef MEMPLAN_DATASETS_OPENVINO_OPENVINO_H
#define MEMPLAN_DATASETS_OPENVINO_OPENVINO_H

#include "core/text.h"
#include "datasets/assembly/options.h"

/* Networks of OpenVINO (.xml, IR of versions 10 and 11), see docs/formats.md. The weights beside
   them (.bin) are not needed. */

bool openvino_is_network(const struct text *text);

/* Reads a network as a graph. Fails with STATUS_BAD_INPUT, the file and the line; with STATUS_USAGE
   where a bind does not fit. */
enum status openvino_read(const struct text *text, const char *file,
                          const struct model_options *options, struct graph **graph,
                          struct error *error);

#endif
