/* Stands in for parse.c where the program is built without expat: reading always fails. */

#include "datasets/openvino/xml.h"

enum status xml_read(const struct text *text, const char *file, struct json_document **document,
                     struct error *error)
{
    (void)text, (void)document;
    return error_set_at(error, STATUS_BAD_INPUT, file, 0,
                        "this memplan was built without expat (MEMPLAN_WITH_EXPAT=OFF), which "
                        "networks of OpenVINO need");
}
