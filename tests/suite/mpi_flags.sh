# shellcheck shell=bash
# Sourced by tests of MPI programs: both MPIs as they run here, and what their compilers would add.
export NO_COLOR=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_osc=pt2pt # needed because of "none" below
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none
has_mpi() { command -v "mpirun.$1" > /dev/null && command -v "mpicc.$1" > /dev/null; } # openmpi | mpich
mpi_flags() {
    if [[ $1 == openmpi ]]; then mpicc.openmpi --showme:compile && mpicc.openmpi --showme:link
    else mpicc.mpich -show x.o -o x | sed -E 's/^[^ ]+ //; s/-g |x\.o -o x|-ffile[^ ]*|-specs=[^ ]*|-Wl,[^ ]*//g'; fi
}
