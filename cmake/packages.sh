# Debian packages that building, testing and drawing need. Sourced by reproduce.sh, test.sh and .ci/run.

packages="gcc g++ cmake ninja-build pkg-config libglpk-dev
    glpk-utils coinor-libcbc-dev coinor-cbc coinor-libsymphony-dev liblpsolve55-dev lp-solve libzstd-dev libsqlite3-dev nettle-dev zlib1g-dev libexpat1-dev
    libcunit1-dev libonnx-dev libonnx-testdata libprotobuf-c-dev protobuf-c-compiler libprotobuf-dev
    protobuf-compiler gnuplot-nox libxml2-utils cmark-gfm"

# Only .ci/run installs these. Tests that need one of them are skipped where it is missing, which
# test.sh says.
packages_of_some_tests="clang-format-14 chromium python3 python3-cffi python3-setuptools python3-pip python3-wheel sqlite3 slurmctld slurmd slurm-client munge coq ocaml"

missing_packages() {
    for package in $packages; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
            printf ' %s' "$package"
    done
}

# Installs what is missing, or says how and stops.
need_packages() {
    missing=$(missing_packages)
    [ -z "$missing" ] && return
    install="apt-get install -y --no-install-recommends$missing"
    if [ "$(id -u)" = 0 ]; then
        apt-get update -q && DEBIAN_FRONTEND=noninteractive $install
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo apt-get update -q && sudo $install
    else
        echo "Missing packages. Install them with:" >&2
        echo "  sudo $install" >&2
        exit 2
    fi
}
