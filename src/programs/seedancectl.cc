// seedancectl: the command line.
#include "cli/run_cli.h"

int main(int argc, char** argv) { return seedance::run_cli(argc, argv, seedance::process_streams(SEEDANCE_VERSION)); }
