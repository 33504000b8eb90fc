file(GLOB builtin RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/builtin/*/*.json)
memplan_embed(${target} datasets_builtin ${builtin})
