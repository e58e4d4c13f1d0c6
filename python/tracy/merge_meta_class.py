# SPDX-License-Identifier: Apache-2.0
"""Classes whose `timerAnalysis` holds those of their bases as well."""


class MergeMetaclass(type):
    mergeList = ["timerAnalysis"]

    def __new__(mcs, name, bases, attrs):
        for merged in mcs.mergeList:
            for base in bases:
                if merged in attrs and merged in vars(base):
                    attrs[merged] = {**attrs[merged], **vars(base)[merged]}
        return super().__new__(mcs, name, bases, attrs)
