if(MEMPLAN_WITH_EXPAT)
  target_link_libraries(${target} PRIVATE EXPAT::EXPAT)
endif()
