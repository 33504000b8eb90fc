"""Turns a snapshot of PyTorch's CUDA allocator, a pickle, into the JSON that memplan reads.

    python3 snapshot_to_json.py snapshot.pickle snapshot.json

No code of the pickle is run: a snapshot consists of plain values, and anything else is refused."""
import gzip, json, pickle, sys


class Plain(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"found {module}.{name}, expected plain values alone")

    def persistent_load(self, name):
        raise pickle.UnpicklingError("found a persistent object, expected plain values alone")


def without_frames(value):
    if isinstance(value, dict):
        return {key: without_frames(item) for key, item in value.items() if key != "frames"}
    return [without_frames(item) for item in value] if isinstance(value, (list, tuple)) else value


source, target = sys.argv[1:]
with open(source, "rb") as file:
    packed = file.read(2) == b"\x1f\x8b"
with (gzip.open if packed else open)(source, "rb") as file:
    snapshot = Plain(file).load()
with open(target, "w") as file:
    json.dump({key: without_frames(snapshot[key]) for key in ("segments", "device_traces")}, file)
