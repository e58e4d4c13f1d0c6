# SPDX-License-Identifier: Apache-2.0
"""Two ops of a host, told as tt-metal tells them, with the places that a compiler tells between them."""
import json

import ttprof


def op(number, code):
    record = {"global_call_count": number, "op_code": code, "op_type": "tt_dnn_device", "device_id": 0, "op_hash": number,
              "program_cache_hit": False, "attributes": {}, "input_tensors": [], "output_tensors": []}
    ttprof.message(f"`TT_DNN_DEVICE_OP: \"{code}\", {number}, 0, false, {number} ->\n{json.dumps(record)}`")
    with ttprof.zone("TT_DNN_DEVICE_OP", text=f"id:{number}"):
        pass


ttprof.message('MLIR_OP_LOCATION;loc(fused[loc("f.py":1:0), "first"])')
op(1024, "Add")
ttprof.message("MLIR_CONST_EVAL_OP;true")
ttprof.message('MLIR_OP_LOCATION;loc(fused[loc("f.py":2:0), "second"])')
op(2048, "Matmul")
