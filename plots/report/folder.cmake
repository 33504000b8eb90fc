file(GLOB assets RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/page/*.js ${folder}/page/*.css)
memplan_embed(${target} report_assets ${assets})
target_link_libraries(${target} PRIVATE PkgConfig::NETTLE)
