# SPDX-License-Identifier: Apache-2.0
# ops that only mark a place in a training have no limits, and no advice
cat >ops.csv <<'END'
OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,ATTRIBUTES,CORE COUNT,DEVICE KERNEL DURATION [ns],INPUT_0_W_PAD[LOGICAL],INPUT_0_Z_PAD[LOGICAL],INPUT_0_Y_PAD[LOGICAL],INPUT_0_X_PAD[LOGICAL],INPUT_0_LAYOUT,INPUT_0_DATATYPE,INPUT_0_MEMORY
ProfilerNoopOperation,tt_dnn_device,1024,0,{'identifier': 'iteration_1'},1,75,1,1,32[1],32[1],TILE,BFLOAT16,DEV_0_L1_INTERLEAVED
ProfilerNoopOperation,tt_dnn_device,2048,0,{'identifier': 'iteration_2'},1,75,1,1,32[1],32[1],TILE,BFLOAT16,DEV_0_L1_INTERLEAVED
UnaryDeviceOperation,tt_dnn_device,3072,0,,1,75,1,1,32[1],32[1],TILE,BFLOAT16,DEV_0_L1_INTERLEAVED
END
"$TTPROF" report ops.csv --chip n150 --columns id,op,bound,roof,save
"$TTPROF" report ops.csv --chip n150 --id 2
