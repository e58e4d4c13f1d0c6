# SPDX-License-Identifier: Apache-2.0
# Dies of SIGPIPE, and says nothing.
set -o pipefail
{ sleep 0.2; "$TTPROF" --help; } | true
