#ifndef MEMPLAN_DATASETS_ONNX_ORT_ORT_H
#define MEMPLAN_DATASETS_ONNX_ORT_ORT_H

#include "core/text.h"
#include "datasets/onnx/model/model.h"

/* Models of ONNX Runtime's own format (.ort), a flatbuffer of what ONNX says in protobuf
   (core/flatbuffers/schema/ort.fbs of microsoft/onnxruntime). */

#define ORT_IDENTIFIER "ORTM" /* bytes 4 to 7 of a file */

/* Reads a file as ONNX's own messages, into model->proto, with its nodes sorted so that each reads
   what came before. Dimensions that are names become numbers where a bind
   of an input, or assume_dimension, says which. Fails with STATUS_BAD_INPUT, the file and the byte
   offset. */
enum status ort_read_model(const struct text *text, const char *file, struct onnx_model *model);

#endif
