file(GLOB builtin RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/builtin/*/*.json
     ${folder}/builtin/brought/*)
list(REMOVE_DUPLICATES builtin)
list(FILTER builtin EXCLUDE REGEX "README")
memplan_embed(${target} datasets_builtin ${builtin})
