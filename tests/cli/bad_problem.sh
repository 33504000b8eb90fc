#!/bin/sh
# Problems as JSON that are wrong: file, line, what was found, what was expected; exit code 3.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >"$SCRATCH/good.json" <<'END'
{"format": "memplan-problem/1", "name": "good",
 "buffers": [
  {"name": "a", "size": 4, "segments": [[0, 2]]},
  {"name": "b", "size": 8, "alignment": 4, "offset": 4, "segments": [[1, 3], [5, 9, 0, 4]]}
 ]}
END
bad() {
    sed "$1" "$SCRATCH/good.json" >bad.json
    cmp -s "$SCRATCH/good.json" bad.json && echo "no change: $1"
    echo "    $1"
    refuse bad.json
}
cp "$SCRATCH/good.json" good.json
memplan info good.json
bad '5d'
bad 's/"buffers"/"bufers"/'
bad 's/"buffers": \[/"buffers": {/'
bad '3d;4d'
bad '3s/"name": "a", //'
bad '4s/"b"/"a"/'
bad '3s/"a"/""/'
bad '3s/"size": 4, //'
bad '3s/4/-4/'
bad '3s/4/0/'
bad '3s/4/"4"/'
bad '3s/4/1e3/'
bad '3s/4/9223372036854775808/'
bad '4s/"alignment": 4/"alignment": 0/'
bad '4s/"offset": 4/"offset": 2/'
bad '4s/"offset": 4/"offset": -4/'
bad '3s/\[0, 2\]/[2, 2]/'
bad '3s/\[0, 2\]/[3, 2]/'
bad '3s/\[0, 2\]/[-1, 2]/'
bad '3s/\[0, 2\]/[0, 4294967296]/'
bad '3s/\[0, 2\]/[0]/'
bad '3s/\[0, 2\]/[0, 1, 2]/'
bad '3s/\[0, 2\]/"0-2"/'
bad '3s/\[\[0, 2\]\]/[]/'
bad '3s/\[\[0, 2\]\]/[[0, 2], [1, 3]]/'
bad '3s/\[\[0, 2\]\]/[[4, 6], [1, 3]]/'
bad '4s/0, 4\]/0, 9]/'
bad '4s/0, 4\]/2, 2]/'
bad '3s/"size": 4/"size": 4, "colour": "red"/'
bad '$s/]}/], "conflicts": [["a", "c"]]}/'
bad '$s/]}/], "conflicts": [[0, 2]]}/'
bad '$s/]}/], "conflicts": [["a", 0]]}/'
bad '$s/]}/], "conflicts": [["a"]]}/'
bad '$s/]}/], "conflicts": {"a": "b"}}/'
cat >"$SCRATCH/good.json" <<'END'
{"format": "memplan-problem/1", "name": "clocks",
 "buffers": [
  {"name": "a", "size": 4, "clock": [[0, 0], [1, 0]]},
  {"name": "b", "size": 8, "clock": [[1, 0], [2, 0]]}
 ]}
END
bad '3s/\[1, 0\]/[1, 0, 0]/'
bad '4s/\[1, 0\]/[3, 0]/'
bad '4s/\[1, 0\]/[2, 0]/'
bad '4s/\[1, 0\], \[2, 0\]/[1, 0, 0], [2, 0, 0]/'
bad '4s/"clock.*]]/"segments": [[0, 1]]/'
bad '3s/"clock"/"segments": [[0, 1]], "clock"/'
bad '$s/]}/], "conflicts": [[0, 1]]}/'
find . | sort
