# SPDX-License-Identifier: Apache-2.0
# An architecture without figures gets a report without them.
. "$SRC/tests/cli/report.bash"
sed 's/wormhole_b0/frobnicator/' two_devices.csv >unknown.csv
sed 's/wormhole_b0/quasar/' two_devices.csv >quasar.csv
sed 's/wormhole_b0/grayskull/' two_devices.csv >grayskull.csv
ask unknown.csv
ask --no-advice quasar.csv | sed -n '2p; /^note/,$p'
ask --no-advice grayskull.csv | sed -n '2p; /^note/,$p'
