# SPDX-License-Identifier: Apache-2.0
install(TARGETS ttprof RUNTIME)
