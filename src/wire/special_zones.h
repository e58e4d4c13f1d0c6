// SPDX-License-Identifier: Apache-2.0
/*
 * Calls below an op that its report sums up by name, in columns "... TT_HOST_FUNC [ns]": what tt-metal asks csvexport for (-x), and the other
 * calls that an op of libttpdev makes, as the reports of 2023 had them.  Whoever wants more adds names.
 */
#ifndef TTP_WIRE_SPECIAL_ZONES_H
#define TTP_WIRE_SPECIAL_ZONES_H

/* As csvexport takes them; what their parents have in their names is SPECIAL_ZONES_PARENT. */
#define SPECIAL_ZONES                                                            \
	"CompileProgram,HWCommandQueue_write_buffer,ConfigureDeviceWithProgram," \
	"LaunchProgram,ReadFromDevice,WriteToDevice,DumpDeviceProfileResults"
#define SPECIAL_ZONES_PARENT "TT_"

#endif /* TTP_WIRE_SPECIAL_ZONES_H */
