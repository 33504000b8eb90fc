file(GLOB profiles RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/hardware/*.json)
memplan_embed(${target} hardware_builtin ${profiles})
