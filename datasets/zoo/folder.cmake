file(GLOB texts RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/texts/*.txt)
memplan_embed(${target} datasets_zoo_texts ${texts})
