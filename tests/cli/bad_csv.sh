#!/bin/sh
# Problems as CSV that are wrong: file, line, what was found, what was expected; exit code 3.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

h=id,lower,upper,size
nl='
'
bad() { refuse_text bad.csv "$1"; }
# Columns.
bad "$h"
bad "id,lower,upper${nl}a,0,1"
bad "id,lower,upper,size,colour${nl}a,0,1,1,red"
bad "$h,size${nl}a,0,1,1,1"
bad "$h,end${nl}a,0,1,1,1"
bad "a,0,1,1${nl}b,0,1,1"
bad "id;lower;upper;size${nl}a;0;1;1"
bad "\"id\",lower,upper,size${nl}a,0,1,1"
bad "$h${nl}a,0,1"
bad "$h${nl}a,0,1,1${nl}b,0,1,1,1"
bad "$h${nl}a,0,1,1${nl}b"
# Names.
bad "$h${nl},0,1,1"
bad "$h${nl}a,0,1,1${nl}b,0,1,1${nl}a,2,3,1"
bad "$h${nl}$(printf 'a\377'),0,1,1"
# Lifetimes.
bad "$h${nl}a,1,1,1"
bad "$h${nl}a,2,1,1"
bad "id,lower,end,size${nl}a,2,1,1"
bad "$h${nl}a,-1,1,1"
bad "$h${nl}a,0,4294967296,1"
bad "$h${nl}a,0,x,1"
bad "$h${nl}a,0,,1"
bad "$h${nl}a,0,1.5,1"
# Sizes.
bad "$h${nl}a,0,1,0"
bad "$h${nl}a,0,1,-5"
bad "$h${nl}a,0,1,"
bad "$h${nl}a,0,1,10k"
bad "$h${nl}a,0,1,0x10"
bad "$h${nl}a,0,1,18446744073709551615"
bad "$h${nl}a,0,1,18446744073709551616"
bad "$h${nl}a,0,1,99999999999999999999999999"
# They add up to more than there are addresses, at the third.
m=9223372036854775807
printf '%s\n' "$h" "a,0,1,$m" "b,1,2,$m" "c,2,3,$m" >sum.csv
code=0
"$MEMPLAN" info sum.csv >"$SCRATCH/stdout" 2>"$SCRATCH/stderr" || code=$?
sed 's/sum.csv:[34]: the sizes add up.*/sum.csv: the sizes add up/' "$SCRATCH/stderr"
cat "$SCRATCH/stdout"
echo "exit $code"
# Gaps, alignment, offsets.
bad "$h,gaps${nl}a,0,10,4,3"
bad "$h,gaps${nl}a,0,10,4,5-3"
bad "$h,gaps${nl}a,0,10,4,3-12"
bad "$h,gaps${nl}a,0,10,4,0-10"
bad "$h,gaps${nl}a,0,10,4,2-5 4-6"
bad "$h,gaps${nl}a,0,10,4,3-5@0:9"
bad "$h,gaps${nl}a,0,10,4,3-5@2:2"
bad "$h,gaps${nl}a,0,10,4,3-5@"
bad "$h,alignment${nl}a,0,1,1,0"
bad "$h,alignment${nl}a,0,1,1,-4"
bad "$h,alignment,offset${nl}a,0,1,1,4,2"
bad "$h,offset${nl}a,0,1,1,-1"
bad "$h,offset${nl}a,0,1,1,x"
# Clocks.
bad "$h${nl}a,0:0,1:0:2,1"
bad "$h${nl}a,0:3,1:2,1"
bad "$h${nl}a,0:3,0:3,1"
bad "$h${nl}a,0:0,1:0,1${nl}b,0,1,1"
bad "$h${nl}a,0:0,1:0,1${nl}b,0:0:0,1:0:0,1"
bad "id,lower,end,size${nl}a,0:0,1:0,1"
# Line numbers count blank lines and both kinds of line ends.
printf '\r\n\nid,lower,upper,size\r\na,0,1,1\r\n\r\n\nb,0,1,none\r\n' >bad.csv
refuse bad.csv
# What only looks wrong is read.
printf '\n size , upper,lower ,id \r\n\r\n 5 , 3 , 1 , a \r\n' >good.csv
memplan info good.csv
printf '\357\273\277id,begin,end,size\na,0,1,7' >good.csv
memplan info good.csv
find . | sort
