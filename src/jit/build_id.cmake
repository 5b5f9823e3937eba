# Writes OUT: a hash over FILES, and whether sanitizers look, as the macro WG_JIT_BUILD.
set(all "${SANITIZE}")
foreach(f ${FILES})
  file(SHA256 ${f} h)
  string(APPEND all ${h})
endforeach()
string(SHA256 id "${all}")
file(WRITE ${OUT} "#define WG_JIT_BUILD \"${id}\"\n")
