// SPDX-License-Identifier: Apache-2.0
/*
 * A library that goes.  Its texts and source locations are read by address, later; what nobody has read yet is pointed to
 * copies before the library's memory is gone.  So recording costs nothing for it, whatever comes and goes.
 *
 * Every file that includes ttp/client.h has a destructor that calls ttp_library_goes, as the last of its library.
 */
#ifndef TTP_CLIENT_LIFE_UNLOAD_H
#define TTP_CLIENT_LIFE_UNLOAD_H

/* From here on the process ends: no memory goes away any more. */
void unload_is_over(void);

#endif /* TTP_CLIENT_LIFE_UNLOAD_H */
