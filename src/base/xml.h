// SPDX-License-Identifier: Apache-2.0
/* Text for XML: SVG, HTML pages, JUnit reports. */
#ifndef TTP_BASE_XML_H
#define TTP_BASE_XML_H

#include "base/str.h"

/* Text as it may stand in XML, also in attributes; what may not is U+FFFD. */
void xml_text(struct buf *b, struct str s);

#endif /* TTP_BASE_XML_H */
