# Targets of placemat @VERSION@: placemat::placemat, placemat::placemat_static, placemat::iconv, placemat::iconv_static.
# A program that links an iconv target and includes <iconv.h> gets the interface of GNU libiconv.

get_filename_component(_placemat_libraries "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(_placemat_include "${_placemat_libraries}/@UP@/include" ABSOLUTE)

foreach(_placemat_pair "placemat placemat" "iconv placemat_libiconv")
  string(REPLACE " " ";" _placemat_pair "${_placemat_pair}")
  list(GET _placemat_pair 0 _placemat_target)
  list(GET _placemat_pair 1 _placemat_name)
  if(_placemat_target STREQUAL "iconv")
    set(_placemat_headers "${_placemat_include}/placemat" "${_placemat_include}")
  else()
    set(_placemat_headers "${_placemat_include}")
  endif()
  foreach(_placemat_file "lib${_placemat_name}.so.@VERSION@" "lib${_placemat_name}.a")
    if(NOT EXISTS "${_placemat_libraries}/${_placemat_file}")
      set(placemat_FOUND FALSE)
      set(placemat_NOT_FOUND_MESSAGE "${_placemat_libraries}/${_placemat_file} is missing: install placemat again")
      return()
    endif()
  endforeach()
  if(NOT TARGET "placemat::${_placemat_target}")
    add_library("placemat::${_placemat_target}" SHARED IMPORTED)
    set_target_properties("placemat::${_placemat_target}" PROPERTIES
      IMPORTED_LOCATION "${_placemat_libraries}/lib${_placemat_name}.so.@VERSION@"
      IMPORTED_SONAME "lib${_placemat_name}.so.@SONAME@"
      INTERFACE_INCLUDE_DIRECTORIES "${_placemat_headers}")
  endif()
  if(NOT TARGET "placemat::${_placemat_target}_static")
    add_library("placemat::${_placemat_target}_static" STATIC IMPORTED)
    set_target_properties("placemat::${_placemat_target}_static" PROPERTIES
      IMPORTED_LOCATION "${_placemat_libraries}/lib${_placemat_name}.a"
      IMPORTED_LINK_INTERFACE_LANGUAGES C
      INTERFACE_INCLUDE_DIRECTORIES "${_placemat_headers}")
  endif()
endforeach()
