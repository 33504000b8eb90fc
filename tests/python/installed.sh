#!/bin/sh
# The package as pip installs it, where there is no compiler and no network: the tests and the example use it.
set -eu

for python in python3 /usr/bin/python3; do
    if "$python" -c 'import cffi, setuptools, wheel, pip' 2>/dev/null; then
        break
    fi
    [ "$python" = python3 ] || { echo 'skipped: the Python package, no python3-cffi, python3-setuptools or python3-pip'; exit 0; }
done
top=$(mktemp -d "${TMPDIR:-/tmp}/memplan-python.XXXXXX")
trap 'rm -rf "$top"' EXIT
trap 'exit 2' HUP INT TERM
cp -rL "$ROOT/python" "$ROOT/pyproject.toml" "$ROOT/LICENSE" "$top"
PATH=/nowhere "$(command -v "$python")" -m pip install -q --no-index --no-build-isolation --no-deps --disable-pip-version-check \
    --root-user-action=ignore --no-warn-script-location --target "$top/installed" "$top" 2>"$top/log" || { cat "$top/log"; exit 1; }
cd "$top"
rm -r python
PYTHONPATH=$top/installed
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
"$python" "$ROOT/tests/python/test_memplan.py"
"$python" "$ROOT/examples/plan.py" | grep -q '^optimal, peak 5120 bytes$'
grep -q '^<svg' plan.svg
