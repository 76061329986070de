#!/usr/bin/env bash
# Builds the native module as a compiler without long double and 128-bit integers would, away from the normal
# build, and runs the tests of counts, scores, tests and searches. Usage: tests/portable.sh PYTHON [pytest arguments]
set -eu
cd "$(dirname "$0")/.."
python=$1
shift
place=build/portable
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

rm -rf "$place/site"
"$python" -m pip install -q --disable-pip-version-check --no-deps --target "$place/site" \
    -Cbuild-dir="$place/cmake" -Ccmake.define.BAYESLOOM_PORTABLE=ON .
run() {
    env PYTHONPATH="$place/site:$PWD/reproduction:$site" "$python" -S "$@"
}
# -S: an editable installation would otherwise be found before the portable module.
run -c 'from bayesloom import _native; assert "portable" in _native.__file__; assert _native.mantissa_bits == 53'
# Tests that ask for more digits than double has are left out: scores are right to some 1e-10 here.
run -m pytest tests/graphs tests/data_layer/test_native_csv.py tests/search/dag tests/search/equivalence \
    -p no:cacheprovider "$@"
