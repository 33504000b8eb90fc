file(GLOB templates RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/templates/*.gp)
memplan_embed(${target} plot_templates ${templates})
