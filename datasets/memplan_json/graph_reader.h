#ifndef MEMPLAN_DATASETS_MEMPLAN_JSON_GRAPH_READER_H
#define MEMPLAN_DATASETS_MEMPLAN_JSON_GRAPH_READER_H

#include <stdbool.h>

#include "datasets/json/fields.h"
#include "datasets/memplan_json/graph.h"

/* The parts of the reader of memplan-graph/1. */
struct graph_json_reader {
    struct json_reader json;
    struct graph *graph;
    const struct json_value **place; /* [operators] where each is written, for messages */
    size_t place_capacity;
    uint32_t *list; /* indices that are about to be added to the graph */
    size_t list_capacity;
    uint32_t *operator_of; /* [labels] the operator of that name, GRAPH_NONE for none */
    size_t operator_of_capacity, labels;
    bool streams_declared;
};

/* Reads the "name" of an object, which must not be empty. */
enum status graph_json_read_name(struct graph_json_reader *reader, const struct json_value *object,
                                 const char **name);

/* Reads the "dtype" of an object; float32 where it has none. */
enum status graph_json_read_dtype(struct graph_json_reader *reader, const struct json_value *object,
                                  uint8_t *dtype);

/* Finds the tensor that the field `key` of an object names. */
enum status graph_json_read_tensor_name(struct graph_json_reader *reader,
                                        const struct json_value *object, const char *key,
                                        uint32_t *tensor);

/* Reads the field `key` of an object, an array of names of tensors, into reader->list. */
enum status graph_json_read_names(struct graph_json_reader *reader, const struct json_value *object,
                                  const char *key, uint32_t *count);
enum status graph_json_reserve_list(struct graph_json_reader *reader, size_t count);

/* Adds one of "tensors" to the graph. */
enum status graph_json_read_tensor(struct graph_json_reader *reader,
                                   const struct json_value *object);

/* Reads "streams" and "waits" of the graph. */
enum status graph_json_read_streams(struct graph_json_reader *reader,
                                    const struct json_value *root);
/* Notes the name of an operator that has just been opened, for those that wait for it. */
enum status graph_json_note_operator(struct graph_json_reader *reader, uint32_t index);
/* Reads "stream" and "after" of the open operator. */
enum status graph_json_read_waits(struct graph_json_reader *reader,
                                  const struct json_value *object);

/* Adds the "ops" of the graph or of a region, depth regions deep, to the graph. */
enum status graph_json_read_operators(struct graph_json_reader *reader,
                                      const struct json_value *holder, unsigned depth);

#endif
