# SPDX-License-Identifier: Apache-2.0
# Bad rows and values cost themselves and nothing else.
. "$SRC/tests/cli/report.bash"
{
	echo 'OP CODE,OP TYPE,DEVICE ID,CORE COUNT,DEVICE KERNEL DURATION [ns],NOTE'
	echo 'good,tt_dnn_device,0,64,1000,'
	echo 'short,tt_dnn_device'
	echo 'long,tt_dnn_device,0,64,1000,a,b,c'
	echo
	echo 'huge,tt_dnn_device,0,64,123456789012345678901234567890,'
	echo 'word,tt_dnn_device,0,64,soon,'
	echo 'negative,tt_dnn_device,0,64,-5,'
	printf 'bytes\377,tt_dnn_device,0,64,2000,\n'
	printf 'escape\033[31m,tt_dnn_device,0,64,3000,\n'
	echo 'cores,tt_dnn_device,0,inf,4000,'
	echo 'None,tt_dnn_device,,,5000,'
	echo ',tt_dnn_device,0,64,6000,'
	echo '"open,tt_dnn_device,0,64,7000,'
} >odd.csv
ask --no-advice --each odd.csv
ask --id 7 odd.csv
