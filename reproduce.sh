#!/bin/sh
# The main job, from nothing: installs what is missing, builds, and makes the tables and figures of the
# papers in results/reproduced/ (index.html shows them all).
set -eu
cd "$(dirname "$0")"
. cmake/packages.sh
need_packages
cmake --preset release -DMEMPLAN_TESTS=OFF
cmake --build --preset release
exec build/memplan reproduce "$@"
