#!/bin/bash
# The packages of a build, from nothing to the first report: lintian, the archive in a folder of any name, and the Debian package in
# a Debian that has nothing else, where root and a mirror are at hand (BARE_ROOT: one that debootstrap made before).
#     bare.sh BUILD
. "$(dirname "$0")/../cli/expect.sh"
seconds() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f s", to - from }'; }

# Quick compression: what counts here is what is in them.
for kind in DEB TGZ; do
    cpack --config "$1/CPackConfig.cmake" -G $kind -B "$scratch/packages" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip > "$stdout" 2> "$stderr" ||
        fail "cpack -G $kind"
    rm -rf packages/_CPack_Packages
done
((failures == 0)) || finish
deb=$(echo packages/*.deb) archive=$(echo packages/*.tar.gz)
if command -v lintian > /dev/null; then
    lintian --fail-on error,warning "$deb" > "$stdout" 2> "$stderr" || fail "lintian"
else
    echo "lintian is not installed"
fi

cat > saxpy.cu << 'END'
__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
int main() {
    float *x, *y;
    cudaMalloc(&x, 4000), cudaMalloc(&y, 4000);
    cudaMemset(x, 0, 4000), cudaMemset(y, 0, 4000);
    saxpy<<<4, 256>>>(1000, 2, x, y);
    return cudaDeviceSynchronize();
}
END
report='saxpy.*1,?000|saxpy.cu:3|125'

# In a folder of any name, with the libraries that it has with it.
mkdir 'any folder' && tar xzf "$archive" -C 'any folder' --strip-components 1
[[ $(ldd 'any folder/bin/warpglass') == *'any folder/bin/../lib/warpglass/bundled/libjansson'* ]] || fail "the archive's jansson is not used"
expect 0 '' -- env -i PATH="$PATH" HOME="$scratch/home" 'any folder/bin/warpglass' profile saxpy.cu
said "$report"

# What the package holds, without its dependencies' being installed.
dpkg -x "$deb" unpacked
expect 0 '' -- env -i PATH="$PATH" HOME="$scratch/home" unpacked/usr/bin/warpglass profile saxpy.cu
said "$report"
for file in share/man/man1/warpglass-run.1.gz share/bash-completion/completions/warpglass share/zsh/vendor-completions/_warpglass \
    share/doc/warpglass/copyright share/doc/warpglass/docs/check.md share/doc/warpglass/kernels/transpose/transpose.cu \
    lib/cmake/warpglass/warpglass-config.cmake; do
    [[ -s unpacked/usr/$file ]] || fail "the package has no $file"
done

if [[ $(id -u) != 0 ]]; then
    echo "not installed anywhere: that needs root"
    finish
fi
root=${BARE_ROOT-$scratch/root}
if [[ ! -d $root ]]; then
    # A stretch of the way that is not ours.
    if ! command -v debootstrap > /dev/null || ! debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian > "$stdout" 2>&1; then
        echo "not installed anywhere: debootstrap makes no Debian here: $(tail -n 1 "$stdout")"
        finish
    fi
fi
cp "$deb" saxpy.cu "$root/tmp"
[[ ! -d /etc/apt/apt.conf.d || -z $(ls /etc/apt/apt.conf.d) ]] || cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2> /dev/null
begin=$EPOCHREALTIME
expect 0 '' -- chroot "$root" bash -c 'export DEBIAN_FRONTEND=noninteractive
    { apt-get update -q && apt-get install -q -y --no-install-recommends /tmp/warpglass*.deb; } 2>&1'
echo "installed in an empty Debian after $(seconds "$begin")"
expect 0 '' -- chroot "$root" bash -c 'cd /tmp && warpglass profile saxpy.cu'
said "$report"
echo "first report after $(seconds "$begin")"
expect 3 '' -- chroot "$root" bash -c 'cd /tmp && sed "s/if (i < n)//" saxpy.cu > fault.cu && warpglass check fault.cu'
said 'out-of-bounds'
finish
