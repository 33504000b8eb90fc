#ifndef MEMPLAN_DATASETS_OPENVINO_XML_H
#define MEMPLAN_DATASETS_OPENVINO_XML_H

#include <string.h>

#include "datasets/json/fields.h"

/* What a network says of its layers, as a tree of JSON. An element is an object, in the one around
   it under its name, which there may be several times. It holds its attributes as texts, and the
   elements in it. A <dim> is a text, without the blanks around it; a <port> of inputs its id; an
   <edge> of <edges> two texts XML_END, "from" and "to". Left out is what nobody reads. */

enum { XML_MOST_DEPTH = 256 };

/* A port: the layer's id, its own one. */
#define XML_END "%s\n%s"

/* Fails with STATUS_BAD_INPUT, the file and the line, also for a DOCTYPE, which could define
   entities; in a build without expat always. The caller frees the document. */
enum status xml_read(const struct text *text, const char *file, struct json_document **document,
                     struct error *error);

/* Goes over the elements of this name in another one. */
#define XML_EACH(child, xml, element, name)                                                        \
    JSON_EACH(child, element)                                                                      \
        if (strcmp(json_tree_key(&(xml)->document->tree, child), name) == 0)

#endif
