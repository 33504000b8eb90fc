#!/bin/sh
# Usage: check.sh MEMPLAN FOLDER: check.py, where there is Python.
command -v python3 >/dev/null 2>&1 || {
    echo 'skipped: there is no python3'
    exit 77
}
exec python3 -B "$(dirname "$0")/check.py" "$@"
