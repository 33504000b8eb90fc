#include "datasets/onnx/shapes/shapes.h"

#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>

static bool prepare()
{
    try {
        return onnx::OpSchemaRegistry::Schema("Relu") != nullptr;
    } catch (...) {
        return false;
    }
}

static bool infer(const void *bytes, size_t length, void **inferred, size_t *inferred_length)
{
    const onnx::ShapeInferenceOptions options(false, 0, true);
    *inferred = nullptr;
    *inferred_length = 0;
    try {
        std::string text;
        onnx::ModelProto model;
        if (length > INT_MAX || !model.ParseFromArray(bytes, static_cast<int>(length)))
            return false;
        try {
            onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), options);
        } catch (const std::bad_alloc &) {
            throw;
        } catch (...) {
            /* What was found before stands in the model. */
        }
        if (!model.SerializeToString(&text))
            return false;
        *inferred = std::malloc(text.size() ? text.size() : 1);
        if (!*inferred)
            return false;
        std::memcpy(*inferred, text.data(), text.size());
        *inferred_length = text.size();
        return true;
    } catch (...) {
        return false;
    }
}

const struct onnx_shapes onnx_shapes = {prepare, infer};
