#include "datasets/openvino/xml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

void xml_free(struct xml *xml)
{
    memory_free(xml->element);
    memory_free(xml->attribute);
    memory_free(xml->text);
    *xml = (struct xml){.element = NULL};
}

static const struct xml_element *find(const struct xml *xml, uint32_t index, const char *name)
{
    for (; index; index = xml->element[index - 1].next)
        if (strcmp(xml->text + xml->element[index - 1].name, name) == 0)
            return &xml->element[index - 1];
    return NULL;
}

const struct xml_element *xml_child(const struct xml *xml, const struct xml_element *element,
                                    const char *name)
{
    return element ? find(xml, element->first_child, name) : NULL;
}

const struct xml_element *xml_next(const struct xml *xml, const struct xml_element *element)
{
    return find(xml, element->next, xml->text + element->name);
}

const char *xml_attribute(const struct xml *xml, const struct xml_element *element,
                          const char *name)
{
    for (uint32_t i = 0; element && i < element->attributes; i++) {
        const struct xml_attribute *attribute = &xml->attribute[element->attribute + i];
        if (strcmp(xml->text + attribute->name, name) == 0)
            return xml->text + attribute->value;
    }
    return "";
}

const char *xml_text(const struct xml *xml, const struct xml_element *element)
{
    return element ? xml->text + element->text : "";
}

enum status xml_fail(const struct xml *xml, const struct xml_element *element, const char *format,
                     ...)
{
    char message[sizeof xml->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set_at(xml->error, STATUS_BAD_INPUT, xml->file, element ? element->line : 0, "%s",
                        message);
}
