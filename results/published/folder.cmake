file(GLOB published RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*.csv)
memplan_embed(${target} published_files ${published})
