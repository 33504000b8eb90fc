#ifndef MEMPLAN_DATASETS_MEMPLAN_JSON_GRAPH_H
#define MEMPLAN_DATASETS_MEMPLAN_JSON_GRAPH_H

#include "core/digest.h"
#include "core/text.h"
#include "planning/plan/placement.h"

/* The graph format memplan-graph/1, see docs/formats.md. */

#define GRAPH_JSON_FORMAT "memplan-graph/1"

enum { GRAPH_JSON_MOST_DEPTH = 64 }; /* regions inside regions */

struct json_document;

/* Reads a graph and checks it (graph_finish). The caller frees it with graph_free. Fails with
   STATUS_BAD_INPUT, file and line. file is only for messages. */
enum status graph_json_read(const struct text *text, const char *file, struct graph **graph,
                            struct error *error);

/* Reads the graph from a document that was read already. */
enum status graph_json_read_document(const struct json_document *document, struct graph **graph,
                                     struct error *error);

/* Appends the graph to text: one line per tensor and per operator, the same bytes for the same
   graph. Reading them gives the same graph. Fails when a name is not UTF-8. */
enum status graph_json_write(const struct graph *graph, struct text *text, struct error *error);

/* Writes the graph with a field "planned" for each tensor that has a place, which holds that place;
   readers check the field but do not use it. No offset may be above INT64_MAX. */
enum status graph_json_write_planned(const struct graph *graph, const struct placement *placement,
                                     struct text *text, struct error *error);

/* Writes the graph without name and note: equal texts mean equal graphs, whatever they are
   called. */
enum status graph_json_write_content(const struct graph *graph, struct text *text,
                                     struct error *error);
/* The digest of that text, which is not kept: O(64 KiB) of memory. */
enum status graph_json_digest(const struct graph *graph, char digest[DIGEST_TEXT_BYTES],
                              struct error *error);

#endif
