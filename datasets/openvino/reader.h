#ifndef MEMPLAN_DATASETS_OPENVINO_READER_H
#define MEMPLAN_DATASETS_OPENVINO_READER_H

#include "datasets/assembly/assembly.h"
#include "datasets/assembly/waits.h"
#include "datasets/openvino/openvino.h"
#include "datasets/openvino/xml.h"

/* The parts of the reader of networks. A frame is one list of layers with its edges: that of the
   network, or the body of a layer. */

enum { OPENVINO_MOST_DEPTH = 64 };
#define OPENVINO_NONE UINT32_MAX

struct openvino_port {
    const struct json_value *element;
    uint32_t layer;
    uint32_t source;             /* of an input: the output port that it reads, OPENVINO_NONE */
    struct assembly_value value; /* of an output */
};

struct openvino_layer {
    const struct json_value *element;
    const char *name, *type;
    uint32_t inputs, outputs; /* ports from first_port on, the inputs first */
    uint32_t first_port;
};

struct openvino_reader {
    struct json_document *document;
    struct json_reader xml; /* of the document */
    const struct model_options *options;
    struct assembly assembly;
    struct names variables;        /* by their variable_id */
    struct assembly_list variable; /* their tensors */
    struct assembly_list inputs;   /* of the graph */
    struct names input_names;
    unsigned depth;
};

struct openvino_frame {
    struct openvino_reader *reader;
    bool is_body;
    struct names ids;  /* of the layers */
    struct names keys; /* of the ports, XML_END; until their edges are read */
    LIST_OF(struct openvino_layer) layer;
    LIST_OF(struct openvino_port) port; /* as the keys */
    uint32_t *order;                    /* [layer.count] */
};

/* Reads the layers and edges of <net> or of a body. */
enum status openvino_frame_open(struct openvino_reader *reader, const struct json_value *net,
                                bool is_body, struct openvino_frame *frame);
void openvino_frame_free(struct openvino_frame *frame);

const char *openvino_port_id(const struct openvino_reader *reader, const struct json_value *port);

/* The layer with this id, the only one of a type; OPENVINO_NONE for none. */
uint32_t openvino_find_layer(const struct openvino_frame *frame, const char *id);

/* What an input of a layer reads, and a name for it where it is a weight. */
enum status openvino_input(struct openvino_frame *frame, uint32_t layer, uint32_t input,
                           struct assembly_value **value, const char **name);

/* Shape and bytes of an output port, with what the user says of dimensions that are open. */
enum status openvino_shape(const struct openvino_frame *frame, uint32_t port,
                           struct assembly_shape *shape);

/* Lets an output port stand for a new tensor of the graph. */
enum status openvino_define(struct openvino_frame *frame, uint32_t port);

/* Opens the operator of a layer, which reads the first `inputs` inputs; and lets it write its
   outputs, or the rest of them that nothing wrote so far. */
enum status openvino_open_layer(struct openvino_frame *frame, uint32_t layer, uint32_t inputs,
                                uint32_t *op);
enum status openvino_write_outputs(struct openvino_frame *frame, uint32_t layer, bool is_rest);

/* Adds the layers of the frame to the open region. */
enum status openvino_add_layers(struct openvino_frame *frame);
enum status openvino_add_loop(struct openvino_frame *frame, uint32_t layer);
enum status openvino_add_if(struct openvino_frame *frame, uint32_t layer);

#endif
