#!/bin/sh
# build.sh FOLDER: proves that the checker is right, and makes FOLDER/memplan-check-verified of it. Needs the packages coq and
# ocaml; everything else that is made on the way stays in a folder that is removed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "${1:?is the folder for the program}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/memplan-coq.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
cp "$here"/*.v "$here"/verified.ml "$work"
cd "$work"
for file in Problem Check Sound Extract; do
    coqc -q -Q . '' -w -extraction-opaque-accessed $file.v
done
ocamlopt -w -a checked.mli checked.ml verified.ml -o memplan-check-verified
mv memplan-check-verified "$out"
