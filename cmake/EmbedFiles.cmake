# Writes OUTPUT, C source with the bytes of each of NAMES (comma separated, relative to FOLDER).
string(REPLACE "," ";" names "${NAMES}")
set(arrays "")
set(rows "")
set(count 0)
foreach(name ${names})
  file(READ ${FOLDER}/${name} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const unsigned char bytes_${count}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", (const char *)bytes_${count}, sizeof bytes_${count} - 1},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"core/embedded.h\"\n\n${arrays}
extern const struct embedded_file ${SYMBOL}[];
extern const unsigned ${SYMBOL}_count;
const struct embedded_file ${SYMBOL}[] = {\n${rows}};
const unsigned ${SYMBOL}_count = ${count};\n")
