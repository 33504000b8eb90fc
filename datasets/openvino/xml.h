#ifndef MEMPLAN_DATASETS_OPENVINO_XML_H
#define MEMPLAN_DATASETS_OPENVINO_XML_H

#include "core/text.h"

/* XML in memory, as far as a network needs it: elements with their attributes, and the text of
   those that hold no others. Documents with a DOCTYPE, which could define entities, are refused. */

enum { XML_MOST_DEPTH = 256 };

struct xml_element {
    size_t name, text; /* where they begin in the texts */
    uint32_t line;
    uint32_t first_child, next; /* 1 + index, 0 for none */
    uint32_t last_child, parent;
    uint32_t attribute, attributes; /* attribute[attributes] from there on */
};

struct xml_attribute {
    size_t name, value;
};

struct xml {
    struct xml_element *element;     /* [elements], the first is the root */
    struct xml_attribute *attribute; /* [attributes] */
    char *text;                      /* [text_used] texts, each ends in a zero */
    uint32_t elements, attributes;
    size_t element_capacity, attribute_capacity, text_used, text_capacity;
    const char *file; /* borrowed */
    struct error *error;
};

/* Fails with STATUS_BAD_INPUT, the file and the line; in a build without expat always. The caller
   frees what there is with xml_free, also after a failure. */
enum status xml_read(const struct text *text, const char *file, struct xml *xml,
                     struct error *error);
void xml_free(struct xml *xml);

/* All of these accept NULL as an element and find nothing in it. The first child of this name, and
   the next one with the name of an element; NULL for none. */
const struct xml_element *xml_child(const struct xml *xml, const struct xml_element *element,
                                    const char *name);
const struct xml_element *xml_next(const struct xml *xml, const struct xml_element *element);

/* The value of an attribute, and the text in an element; "" for none. */
const char *xml_attribute(const struct xml *xml, const struct xml_element *element,
                          const char *name);
const char *xml_text(const struct xml *xml, const struct xml_element *element);

/* Goes over the children of this name. */
#define XML_EACH(child, xml, element, name)                                                        \
    for (const struct xml_element *child = xml_child(xml, element, name); child;                   \
         child = xml_next(xml, child))

enum status xml_fail(const struct xml *xml, const struct xml_element *element, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

#endif
