# Writes a text file into a .cc as raw string literals (16 KiB pieces: compilers limit one literal) behind one function.
function(seedance_embed input function output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${input})
  file(READ ${input} text)
  string(LENGTH "${text}" length)
  set(pieces "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND pieces "R\"~~~(${piece})~~~\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  file(CONFIGURE OUTPUT ${output} CONTENT "#include <string_view>
namespace seedance {
std::string_view ${function}();
std::string_view ${function}() {
  static constexpr char kText[] =
${pieces};
  return {kText, sizeof(kText) - 1};
}
}  // namespace seedance
" @ONLY)
endfunction()
