// SPDX-License-Identifier: Apache-2.0
#include "base/xml.h"

#include "base/harmless.h"

void xml_text(struct buf *b, struct str s)
{
	SCOPED(buf) struct buf clean = { 0 };

	buf_add_utf8(&clean, s);
	for (size_t i = 0; i < clean.len; i++) {
		unsigned char c = (unsigned char)clean.at[i];
		uint32_t code;
		size_t len = harmless_decode(str_n(clean.at + i, clean.len - i), &code);

		if (c == '&')
			buf_text(b, "&amp;");
		else if (c == '<')
			buf_text(b, "&lt;");
		else if (c == '>')
			buf_text(b, "&gt;");
		else if (c == '"')
			buf_text(b, "&quot;");
		else if (c == '\'')
			buf_text(b, "&#39;");
		else if (c == '\t' || c == '\n' || c == '\r')
			buf_char(b, ' ');
		else if (!harmless_char(code)) { /* nor may it turn the text round */
			buf_text(b, "\xef\xbf\xbd");
			i += len - 1;
		} else if (c == 0xef && i + 2 < clean.len &&
			   (unsigned char)clean.at[i + 1] == 0xbf &&
			   (unsigned char)clean.at[i + 2] >=
				   0xbe) { /* U+FFFE and U+FFFF are no XML */
			buf_text(b, "\xef\xbf\xbd");
			i += 2;
		} else
			buf_char(b, (char)c);
	}
}
