// SPDX-License-Identifier: Apache-2.0
// What programs built with AddressSanitizer tell its search for leaks: what fontconfig has read of fonts and settings,
// and what MPI has of its own, lives until the end of the process.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_options();

extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig\nleak:libmpi\nleak:libopen-\nleak:libpmix\nleak:libhwloc\nleak:mca_\n";
}
extern "C" const char* __lsan_default_options() {
  return "print_suppressions=0";
}
