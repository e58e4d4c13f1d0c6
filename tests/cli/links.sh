# SPDX-License-Identifier: Apache-2.0
"$TTPROF" __links
