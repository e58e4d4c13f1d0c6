// SPDX-License-Identifier: Apache-2.0
/* What --help of tt-perf-report prints on 80 columns. */
#include "compat/tt_perf_report/args.h"

static const char usage[] =
	"usage: tt-perf-report [-h] [--start-signpost START_SIGNPOST]\n"
	"                      [--end-signpost END_SIGNPOST] [--ignore-signposts]\n"
	"                      [--print-signposts] [--min-percentage MIN_PERCENTAGE]\n"
	"                      [--id-range ID_RANGE] [--arch ARCH] [--color]\n"
	"                      [--no-color] [--csv OUTPUT_FILE] [--no-advice]\n"
	"                      [--tracing-mode] [--raw-op-codes] [--no-host-ops]\n"
	"                      [--no-summary] [--group-by {op,memory,category}]\n"
	"                      [--classic-colors] [--summary-file FILE]\n"
	"                      [--no-stacked-report] [--no-stack-by-in0]\n"
	"                      [--stacked-csv STACKED_FILE] [--no-merge-devices]\n";
static const char usage_experts[] = "                      [--active-experts ACTIVE_EXPERTS]\n";
static const char usage_files[] = "                      csv_files [csv_files ...]\n";

static const char help_to_arch[] =
	"\n"
	"User-friendly Performance Report Analysis Tool\n"
	"\n"
	"positional arguments:\n"
	"  csv_files             Paths to one or more performance report CSV files\n"
	"\n"
	"options:\n"
	"  -h, --help            show this help message and exit\n"
	"  --start-signpost START_SIGNPOST\n"
	"                        Specify a signpost to delimit the starting range of\n"
	"                        the data. The first instance of the matching signpost\n"
	"                        will be used as the start of the data range.\n"
	"  --end-signpost END_SIGNPOST\n"
	"                        Specify a signpost to delimit the ending range of the\n"
	"                        data. The first instance of the matching signpost will\n"
	"                        be used as the end of the data range. If the same\n"
	"                        value is provided for both start and end, the end\n"
	"                        range will be the second instance of the signpost.\n"
	"  --ignore-signposts    Ignore all signposts and use the entire file for\n"
	"                        analysis\n"
	"  --print-signposts     Print signposts between any defined start/end\n"
	"                        signposts\n"
	"  --min-percentage MIN_PERCENTAGE\n"
	"                        Minimum percentage for coloring (default: 0.5)\n"
	"  --id-range ID_RANGE   Show only rows with IDs in the specified range (e.g.,\n"
	"                        '5-10', '31-', or '-12')\n";
static const char help_arch_detected[] =
	"  --arch ARCH           Specify architecture (wormhole, blackhole, bh20, N1);\n"
	"                        auto-detected on new op perf reports.\n";
static const char help_arch_asked[] =
	"  --arch ARCH           Specify or override architecture (wormhole,\n"
	"                        blackhole/p150, p100, bh20, N1). New op perf reports\n"
	"                        auto-detect the chip architecture, but not the\n"
	"                        Blackhole card SKU.\n";
static const char help_from_color[] =
	"  --color               Force colored output even when output is redirected\n"
	"  --no-color            Force output without color\n"
	"  --csv OUTPUT_FILE     Output filename for CSV format\n"
	"  --no-advice           Only show the table section of the report\n"
	"  --tracing-mode        Do not sort when in tracing mode\n"
	"  --raw-op-codes        Include raw op codes in output\n"
	"  --no-host-ops         Do not include host ops in output\n"
	"  --no-summary          Skip generating the operation summary report\n"
	"  --group-by {op,memory,category}\n"
	"                        Group summary by: 'op' (operation name), 'memory'\n"
	"                        (input0 layout), 'category' (compute/data/tensor)\n"
	"  --classic-colors      Use classic tab20 colors instead of category-themed\n"
	"                        colors\n"
	"  --summary-file FILE   Output file for summary report (CSV and PNG)\n"
	"  --no-stacked-report   Do not generate a stacked report (deprecated, use\n"
	"                        --no-summary)\n"
	"  --no-stack-by-in0     Do not group the stacked report by the layout of Input\n"
	"                        0 (deprecated, use --group-by=op)\n"
	"  --stacked-csv STACKED_FILE\n"
	"                        Output filename for the stacked report CSV\n"
	"                        (deprecated, use --summary-file)\n"
	"  --no-merge-devices    Don't merge rows from multiple devices\n";
static const char help_experts[] =
	"  --active-experts ACTIVE_EXPERTS\n"
	"                        Active experts per input batch group for SparseMatmul\n"
	"                        rows whose CSV attributes do not include numeric nnz\n";

void compat_usage(const struct compat_version *v, struct buf *b)
{
	buf_text(b, usage);
	if (v->sparse)
		buf_text(b, usage_experts);
	buf_text(b, usage_files);
}

void compat_help(const struct compat_version *v, struct buf *b)
{
	buf_text(b, help_to_arch);
	buf_text(b, v->arch_asked ? help_arch_asked : help_arch_detected);
	buf_text(b, help_from_color);
	if (v->sparse)
		buf_text(b, help_experts);
}
