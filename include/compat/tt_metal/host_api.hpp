// SPDX-License-Identifier: Apache-2.0
//
// tt-metal's spelling of <ttp/device.h>: what host code of the documents and of small programs uses, in C++17.
// A Program is only described until it is enqueued; what fails throws std::runtime_error with the text of
// ttp_device_error().
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <variant>
#include <vector>

#include <ttp/device.h>

enum class MathFidelity : uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4, Invalid = 0xFF };

namespace tt {

enum class DataFormat : uint8_t {
	Float32 = 0,
	Float16 = 1,
	Bfp8 = 2,
	Bfp4 = 3,
	Float16_b = 5,
	Bfp8_b = 6,
	Bfp4_b = 7,
	UInt16 = 9,
	Int32 = 8,
	UInt32 = 24,
	UInt8 = 30,
	Invalid = 0xFF
};

enum CBIndex : std::uint8_t {
	c_0 = 0, c_1, c_2, c_3, c_4, c_5, c_6, c_7, c_8, c_9, c_10, c_11, c_12, c_13, c_14, c_15,
	c_16, c_17, c_18, c_19, c_20, c_21, c_22, c_23, c_24, c_25, c_26, c_27, c_28, c_29, c_30, c_31
};

namespace constants {
constexpr uint32_t TILE_HEIGHT = 32, TILE_WIDTH = 32, TILE_HW = 1024, FACE_HEIGHT = 16, FACE_WIDTH = 16;
}

namespace tt_metal {

namespace compat {

[[noreturn]] inline void fail(const std::string &what)
{
	throw std::runtime_error(what);
}

inline void check(int failed)
{
	if (failed)
		fail(ttp_device_error());
}

// Devices that are open, by a number of their own: what belongs to a closed one is gone with it, also when the
// next one lies at the same address.  It outlives all objects: what closes a device at the end of the program may be older.
inline std::map<ttp_dev *, uint64_t> &open_devices()
{
	static auto *all = new std::map<ttp_dev *, uint64_t>;

	return *all;
}

inline void opened(ttp_dev *dev)
{
	static uint64_t last;

	open_devices()[dev] = ++last;
}

// 0: it is closed.
inline uint64_t number_of(ttp_dev *dev)
{
	auto found = open_devices().find(dev);

	return found == open_devices().end() ? 0 : found->second;
}

template <typename T> T *check(T *made)
{
	if (!made)
		fail(ttp_device_error());
	return made;
}

template <typename T> T *given(T *device)
{
	if (!device)
		fail("no device was given: its pointer is null");
	return device;
}

// Numbers of 64 bits there, of 32 here.
inline uint32_t narrow(uint64_t n)
{
	return n > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(n);
}

} // namespace compat

// ---- cores ----

struct CoreCoord {
	std::size_t x = 0, y = 0;

	constexpr CoreCoord() = default;
	constexpr CoreCoord(std::size_t x_, std::size_t y_) : x(x_), y(y_) {}
	bool operator==(const CoreCoord &o) const { return x == o.x && y == o.y; }
	bool operator!=(const CoreCoord &o) const { return !(*this == o); }
	bool operator<(const CoreCoord &o) const { return x < o.x || (x == o.x && y < o.y); }
	std::string str() const { return "(x=" + std::to_string(x) + ",y=" + std::to_string(y) + ")"; }
};

struct CoreRange {
	CoreCoord start_coord, end_coord;

	CoreRange(const CoreCoord &one) : start_coord(one), end_coord(one) {}
	CoreRange(const CoreCoord &start, const CoreCoord &end) : start_coord(start), end_coord(end)
	{
		if (end.x < start.x || end.y < start.y)
			compat::fail("a range of cores from " + start.str() + " to " + end.str());
	}
	bool contains(const CoreCoord &c) const
	{
		return c.x >= start_coord.x && c.x <= end_coord.x && c.y >= start_coord.y && c.y <= end_coord.y;
	}
	std::size_t size() const
	{
		return (end_coord.x - start_coord.x + 1) * (end_coord.y - start_coord.y + 1);
	}
	bool operator<(const CoreRange &o) const
	{
		return start_coord < o.start_coord || (start_coord == o.start_coord && end_coord < o.end_coord);
	}
};

class CoreRangeSet {
	std::vector<CoreRange> ranges_;

    public:
	CoreRangeSet() = default;
	CoreRangeSet(const CoreCoord &one) : ranges_{ CoreRange(one) } {}
	CoreRangeSet(const CoreRange &one) : ranges_{ one } {}
	CoreRangeSet(const std::set<CoreRange> &many) : ranges_(many.begin(), many.end()) {}
	explicit CoreRangeSet(std::vector<CoreRange> many) : ranges_(std::move(many)) {}
	const std::vector<CoreRange> &ranges() const { return ranges_; }
	bool contains(const CoreCoord &c) const
	{
		return std::any_of(ranges_.begin(), ranges_.end(), [&](const CoreRange &r) { return r.contains(c); });
	}
	std::size_t num_cores() const
	{
		std::size_t n = 0;
		for (const auto &r : ranges_)
			n += r.size();
		return n;
	}
};

using CoreSpec = std::variant<CoreCoord, CoreRange, CoreRangeSet>;

namespace compat {

inline CoreRangeSet cores_of(const CoreSpec &spec)
{
	if (const auto *one = std::get_if<CoreCoord>(&spec))
		return CoreRangeSet(*one);
	if (const auto *range = std::get_if<CoreRange>(&spec))
		return CoreRangeSet(*range);
	return std::get<CoreRangeSet>(spec);
}

inline std::vector<ttp_cores> plain(const CoreRangeSet &set)
{
	std::vector<ttp_cores> out;

	for (const auto &r : set.ranges())
		out.push_back({ narrow(r.start_coord.x), narrow(r.start_coord.y), narrow(r.end_coord.x),
				narrow(r.end_coord.y) });
	return out;
}

inline bool overlap(const std::vector<ttp_cores> &a, const std::vector<ttp_cores> &b)
{
	for (const auto &p : a)
		for (const auto &q : b)
			if (p.x0 <= q.x1 && q.x0 <= p.x1 && p.y0 <= q.y1 && q.y0 <= p.y1)
				return true;
	return false;
}

} // namespace compat

// ---- devices ----

class IDevice;
using ChipId = int;
using chip_id_t = int;

class CommandQueue {
	IDevice *device_;

    public:
	explicit CommandQueue(IDevice *device) : device_(device) {}
	IDevice *device() const { return device_; }
	uint32_t id() const { return 0; }
};

class IDevice {
	ttp_dev *dev_;
	int id_;
	CommandQueue queue_;

    public:
	IDevice(int id, const char *name) : dev_(compat::check(ttp_dev_open(id, name))), id_(id), queue_(this)
	{
		compat::opened(dev_);
	}
	IDevice(const IDevice &) = delete;
	IDevice &operator=(const IDevice &) = delete;
	virtual ~IDevice()
	{
		compat::open_devices().erase(dev_);
		if (dev_)
			(void)ttp_dev_close(dev_);
	}

	ttp_dev *handle() const { return dev_; }
	int id() const { return id_; }
	CommandQueue &command_queue(std::size_t = 0) { return queue_; }
	CommandQueue &mesh_command_queue(std::size_t = 0) { return queue_; }
	struct ttp_dev_info info() const
	{
		struct ttp_dev_info i;

		compat::check(::ttp_dev_info(dev_, &i, sizeof(i)));
		return i;
	}
	CoreCoord compute_with_storage_grid_size() const
	{
		auto i = info();

		return { i.grid_x, i.grid_y };
	}
	CoreCoord logical_grid_size() const { return compute_with_storage_grid_size(); }
	uint32_t num_dram_channels() const { return info().dram_banks; }
	int get_clock_rate_mhz() const { return static_cast<int>(info().clock_mhz); }
	CoreCoord worker_core_from_logical_core(const CoreCoord &core) const
	{
		uint32_t x = 0, y = 0;

		compat::check(ttp_dev_noc_core(dev_, compat::narrow(core.x), compat::narrow(core.y), &x, &y));
		return { x, y };
	}
	bool close()
	{
		ttp_dev *dev = dev_;

		dev_ = nullptr;
		compat::open_devices().erase(dev);
		if (dev)
			compat::check(ttp_dev_close(dev));
		return true;
	}
};
using Device = IDevice;

inline IDevice *CreateDevice(chip_id_t id, uint8_t = 1, std::size_t = 0, std::size_t = 0)
{
	return new IDevice(id, nullptr);
}

inline bool CloseDevice(IDevice *device)
{
	std::unique_ptr<IDevice> gone(compat::given(device));

	return device->close();
}

inline std::size_t GetNumAvailableDevices()
{
	return 1;
}

// ---- buffers ----

enum class BufferType { DRAM, L1, SYSTEM_MEMORY, L1_SMALL, TRACE };

struct InterleavedBufferConfig {
	IDevice *device;
	uint64_t size;
	uint64_t page_size;
	BufferType buffer_type = BufferType::DRAM;
};
using BufferConfig = InterleavedBufferConfig;

class Buffer {
	ttp_buffer *buffer_;
	ttp_dev *dev_;
	uint64_t device_number_;
	InterleavedBufferConfig config_;

    public:
	explicit Buffer(const InterleavedBufferConfig &c)
		: buffer_(compat::check(ttp_buffer_new(c.device ? c.device->handle() : nullptr,
						       c.buffer_type == BufferType::DRAM ? TTP_DRAM : TTP_L1, c.size,
						       compat::narrow(c.page_size)))),
		  dev_(c.device->handle()), device_number_(compat::number_of(dev_)), config_(c)
	{
	}
	Buffer(const Buffer &) = delete;
	Buffer &operator=(const Buffer &) = delete;
	~Buffer()
	{
		if (compat::number_of(dev_) == device_number_)
			ttp_buffer_free(buffer_);
	}
	ttp_buffer *handle() const
	{
		if (compat::number_of(dev_) != device_number_)
			compat::fail("a buffer of a device that is closed");
		return buffer_;
	}
	IDevice *device() const { return config_.device; }
	uint32_t address() const { return ttp_buffer_address(buffer_); }
	uint64_t size() const { return config_.size; }
	uint64_t page_size() const { return config_.page_size; }
	uint32_t aligned_page_size() const { return ttp_buffer_page_stride(buffer_); }
	uint32_t num_pages() const { return static_cast<uint32_t>(config_.size / config_.page_size); }
	BufferType buffer_type() const { return config_.buffer_type; }
	bool is_dram() const { return config_.buffer_type == BufferType::DRAM; }
};

inline std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig &config)
{
	return std::make_shared<Buffer>(config);
}

// A buffer goes with the last reference to it.
inline void DeallocateBuffer(Buffer &) {}

// ---- programs ----

enum class DataMovementProcessor { RISCV_0 = 0, RISCV_1 = 1 };
enum NOC : uint8_t { RISCV_0_default = 0, RISCV_1_default = 1, NOC_0 = 0, NOC_1 = 1 };

struct DataMovementConfig {
	DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
	NOC noc = NOC::RISCV_0_default;
	std::vector<uint32_t> compile_args = {};
	std::map<std::string, std::string> defines = {};
};

struct ReaderDataMovementConfig : DataMovementConfig {
	ReaderDataMovementConfig(std::vector<uint32_t> args = {}, std::map<std::string, std::string> defs = {})
		: DataMovementConfig{ DataMovementProcessor::RISCV_1, NOC::RISCV_1_default, std::move(args), std::move(defs) }
	{
	}
};

struct WriterDataMovementConfig : DataMovementConfig {
	WriterDataMovementConfig(std::vector<uint32_t> args = {}, std::map<std::string, std::string> defs = {})
		: DataMovementConfig{ DataMovementProcessor::RISCV_0, NOC::RISCV_0_default, std::move(args), std::move(defs) }
	{
	}
};

struct ComputeConfig {
	MathFidelity math_fidelity = MathFidelity::HiFi4;
	bool fp32_dest_acc_en = false;
	bool dst_full_sync_en = false;
	bool bfp8_pack_precise = false;
	bool math_approx_mode = false;
	std::vector<uint32_t> compile_args = {};
	std::map<std::string, std::string> defines = {};
};

using KernelConfig = std::variant<DataMovementConfig, ComputeConfig>;
using KernelHandle = uint32_t;
using CBHandle = uintptr_t;

class CircularBufferConfig {
    public:
	uint32_t total_size;
	std::map<uint8_t, uint32_t> page_sizes;
	std::map<uint8_t, DataFormat> formats;

	CircularBufferConfig(uint32_t total, const std::map<uint8_t, DataFormat> &data_formats)
		: total_size(total), formats(data_formats)
	{
	}
	CircularBufferConfig &set_page_size(uint8_t index, uint32_t bytes)
	{
		page_sizes[index] = bytes;
		return *this;
	}
};

class Program {
    public:
	Program() : parts_(std::make_shared<Parts>()) {}
	Program(Program &&) = default;
	Program &operator=(Program &&) = default;

	void set_runtime_id(uint64_t id) { parts_->id = id; }
	uint64_t get_runtime_id() const { return parts_->id.value_or(0); }

	KernelHandle add_kernel(const std::string &path, const std::optional<std::string> &text, const CoreSpec &cores,
				const KernelConfig &config)
	{
		parts_->kernels.push_back({ path, text, compat::plain(compat::cores_of(cores)), config, {}, {} });
		parts_->forget();
		return static_cast<KernelHandle>(parts_->kernels.size() - 1);
	}
	CBHandle add_cb(const CoreSpec &cores, const CircularBufferConfig &config)
	{
		parts_->cbs.push_back({ compat::plain(compat::cores_of(cores)), config });
		parts_->forget();
		return parts_->cbs.size() - 1;
	}
	// The lowest number that is free on all of the cores, as ttp_program_semaphore() finds it.
	uint32_t add_semaphore(const CoreSpec &spec, uint32_t value)
	{
		auto cores = compat::plain(compat::cores_of(spec));
		uint32_t taken = 0, id = 0;

		for (const auto &s : parts_->semaphores)
			if (compat::overlap(s.cores, cores))
				taken |= 1u << s.id;
		while (taken >> id & 1)
			id++;
		if (id >= 16)
			compat::fail("more than 16 semaphores on one core");
		parts_->semaphores.push_back({ cores, id, value });
		parts_->forget();
		return id;
	}
	void set_args(KernelHandle kernel, const CoreSpec &spec, const std::vector<uint32_t> &words)
	{
		auto set = compat::cores_of(spec);

		for (const auto &r : set.ranges())
			for (auto x = r.start_coord.x; x <= r.end_coord.x; x++)
				for (auto y = r.start_coord.y; y <= r.end_coord.y; y++)
					parts_->kernels.at(kernel).args[CoreCoord(x, y)] = words;
	}
	void set_common_args(KernelHandle kernel, const std::vector<uint32_t> &words)
	{
		parts_->kernels.at(kernel).common_args = words;
	}

	void enqueue(IDevice *device)
	{
		Made &made = make(device);

		if (parts_->id)
			compat::check(ttp_program_set_id(made.program, compat::narrow(*parts_->id), false));
		for (std::size_t i = 0; i < made.kernels.size(); i++) {
			const Kernel &k = parts_->kernels[i];

			for (const auto &[core, words] : k.args)
				compat::check(ttp_kernel_args(made.kernels[i], compat::narrow(core.x), compat::narrow(core.y),
							      words.data(), words.size()));
			if (!k.common_args.empty())
				compat::check(ttp_kernel_common_args(made.kernels[i], k.common_args.data(),
								     k.common_args.size()));
		}
		compat::check(ttp_enqueue(made.program));
	}

    private:
	struct Kernel {
		std::string path;
		std::optional<std::string> text;
		std::vector<ttp_cores> cores;
		KernelConfig config;
		std::map<CoreCoord, std::vector<uint32_t>> args;
		std::vector<uint32_t> common_args;
	};
	struct Cb {
		std::vector<ttp_cores> cores;
		CircularBufferConfig config;
	};
	struct Semaphore {
		std::vector<ttp_cores> cores;
		uint32_t id, value;
	};
	struct Made {
		uint64_t device_number = 0;
		ttp_program *program = nullptr;
		std::vector<ttp_kernel *> kernels;
	};
	struct Parts {
		std::optional<uint64_t> id;
		std::vector<Kernel> kernels;
		std::vector<Cb> cbs;
		std::vector<Semaphore> semaphores;
		std::map<ttp_dev *, Made> made;

		void forget()
		{
			for (const auto &[dev, m] : made)
				if (compat::number_of(dev) == m.device_number)
					ttp_program_free(m.program);
			made.clear();
		}
		~Parts() { forget(); }
	};
	std::shared_ptr<Parts> parts_;

	// As tt-metal finds them: from the current folder, else from $TT_METAL_HOME.
	static std::string find(const std::string &path)
	{
		struct stat st;
		const char *home = std::getenv("TT_METAL_HOME");

		if (!path.empty() && path[0] != '/' && home && stat(path.c_str(), &st))
			return std::string(home) + "/" + path;
		return path;
	}

	static ttp_kernel *make_kernel(ttp_program *program, const Kernel &k)
	{
		const auto *move = std::get_if<DataMovementConfig>(&k.config);
		const auto *compute = std::get_if<ComputeConfig>(&k.config);
		ttp_processor on = compute                                              ? TTP_COMPUTE
				   : move->processor == DataMovementProcessor::RISCV_0 ? TTP_BRISC
										       : TTP_NCRISC;
		ttp_kernel *made = compat::check(
			k.text ? ttp_program_kernel_text(program, k.path.c_str(), k.text->c_str(), on, k.cores.data(),
							 k.cores.size())
			       : ttp_program_kernel(program, find(k.path).c_str(), on, k.cores.data(), k.cores.size()));
		const auto &args = compute ? compute->compile_args : move->compile_args;

		for (const auto &[name, value] : compute ? compute->defines : move->defines)
			compat::check(ttp_kernel_define(made, name.c_str(), value.c_str()));
		if (!args.empty())
			compat::check(ttp_kernel_compile_args(made, args.data(), args.size()));
		if (move)
			compat::check(ttp_kernel_noc(made, move->noc));
		else
			compat::check(ttp_kernel_fidelity(
				made, compute->math_fidelity == MathFidelity::LoFi ? 1 : static_cast<int>(compute->math_fidelity)));
		return made;
	}

	Made &make(IDevice *device)
	{
		Made &made = parts_->made[compat::given(device)->handle()];
		uint64_t number = compat::number_of(device->handle());

		if (made.program && made.device_number == number)
			return made;
		made = Made();
		ttp_program *program = compat::check(ttp_program_new(device->handle()));

		try {
			fill(program, made);
		} catch (...) {
			ttp_program_free(program);
			made = Made();
			throw;
		}
		made.program = program;
		made.device_number = number;
		return made;
	}

	void fill(ttp_program *program, Made &made)
	{
		for (const auto &cb : parts_->cbs)
			for (const auto &[index, format] : cb.config.formats) {
				auto page = cb.config.page_sizes.find(index);
				uint32_t bytes = page == cb.config.page_sizes.end() ? cb.config.total_size : page->second;

				(void)format;
				if (!bytes)
					compat::fail("a circular buffer with pages of 0 bytes");
				compat::check(ttp_program_cb(program, index, cb.config.total_size / bytes, bytes, nullptr,
							     cb.cores.data(), cb.cores.size()));
			}
		for (const auto &s : parts_->semaphores)
			if (ttp_program_semaphore(program, s.value, s.cores.data(), s.cores.size()) < 0)
				compat::fail(ttp_device_error());
		for (const auto &k : parts_->kernels)
			made.kernels.push_back(make_kernel(program, k));
	}
};

inline Program CreateProgram()
{
	return Program();
}

inline KernelHandle CreateKernel(Program &program, const std::string &path, const CoreSpec &cores, const KernelConfig &config)
{
	return program.add_kernel(path, std::nullopt, cores, config);
}

inline KernelHandle CreateKernelFromString(Program &program, const std::string &source, const CoreSpec &cores,
					   const KernelConfig &config)
{
	return program.add_kernel("kernel.cpp", source, cores, config);
}

inline CBHandle CreateCircularBuffer(Program &program, const CoreSpec &cores, const CircularBufferConfig &config)
{
	return program.add_cb(cores, config);
}

inline uint32_t CreateSemaphore(Program &program, const CoreSpec &cores, uint32_t value)
{
	return program.add_semaphore(cores, value);
}

inline void SetRuntimeArgs(Program &program, KernelHandle kernel, const CoreSpec &cores, const std::vector<uint32_t> &words)
{
	program.set_args(kernel, cores, words);
}

inline void SetCommonRuntimeArgs(Program &program, KernelHandle kernel, const std::vector<uint32_t> &words)
{
	program.set_common_args(kernel, words);
}

// ---- queues ----

namespace compat {

inline Buffer &buffer_of(Buffer &b)
{
	return b;
}
inline Buffer &buffer_of(const std::shared_ptr<Buffer> &b)
{
	return *b;
}

} // namespace compat

template <typename B, typename T> void EnqueueWriteBuffer(CommandQueue &, B &&buffer, const std::vector<T> &from, bool)
{
	Buffer &b = compat::buffer_of(buffer);

	// More than the buffer holds is refused there.
	compat::check(ttp_buffer_write(b.handle(), 0, from.data(), from.size() * sizeof(T)));
}

template <typename B> void EnqueueWriteBuffer(CommandQueue &, B &&buffer, const void *from, bool)
{
	Buffer &b = compat::buffer_of(buffer);

	compat::check(ttp_buffer_write(b.handle(), 0, from, b.size()));
}

template <typename B, typename T> void EnqueueReadBuffer(CommandQueue &, B &&buffer, std::vector<T> &to, bool)
{
	Buffer &b = compat::buffer_of(buffer);

	to.resize((b.size() + sizeof(T) - 1) / sizeof(T));
	compat::check(ttp_buffer_read(b.handle(), 0, to.data(), b.size()));
}

template <typename B> void EnqueueReadBuffer(CommandQueue &, B &&buffer, void *to, bool)
{
	Buffer &b = compat::buffer_of(buffer);

	compat::check(ttp_buffer_read(b.handle(), 0, to, b.size()));
}

inline void Finish(CommandQueue &queue)
{
	compat::check(ttp_finish(queue.device()->handle()));
}

inline void EnqueueProgram(CommandQueue &queue, Program &program, bool blocking)
{
	program.enqueue(queue.device());
	if (blocking)
		Finish(queue);
}

inline void Synchronize(IDevice *device)
{
	compat::check(ttp_finish(compat::given(device)->handle()));
}

namespace detail {

// Who waits for the program gets its markers as well, if the device is profiled: they are in the log when this returns.
inline void LaunchProgram(IDevice *device, Program &program, bool wait_until_cores_done = true)
{
	program.enqueue(device);
	if (wait_until_cores_done)
		compat::check(ttp_dev_read_profiler(compat::given(device)->handle()));
}

inline void CompileProgram(IDevice *, Program &) {}

template <typename B, typename T> void WriteToBuffer(B &&buffer, const std::vector<T> &from)
{
	Buffer &b = compat::buffer_of(buffer);

	EnqueueWriteBuffer(b.device()->command_queue(), b, from, true);
}

template <typename B, typename T> void ReadFromBuffer(B &&buffer, std::vector<T> &to)
{
	Buffer &b = compat::buffer_of(buffer);

	EnqueueReadBuffer(b.device()->command_queue(), b, to, true);
}

} // namespace detail

// ---- traces ----

namespace compat {

// Traces of this process by device and id; they go with their device.
inline std::map<std::pair<uint64_t, uint32_t>, ttp_trace *> &traces()
{
	static auto *all = new std::map<std::pair<uint64_t, uint32_t>, ttp_trace *>;

	return *all;
}

inline ttp_trace *trace_of(IDevice *device, uint32_t id)
{
	auto found = traces().find({ number_of(given(device)->handle()), id });

	if (found == traces().end())
		fail("there is no trace " + std::to_string(id));
	return found->second;
}

} // namespace compat

inline uint32_t BeginTraceCapture(IDevice *device, uint8_t = 0)
{
	ttp_trace *trace = compat::check(ttp_trace_begin(compat::given(device)->handle()));

	compat::traces()[{ compat::number_of(device->handle()), ttp_trace_id(trace) }] = trace;
	return ttp_trace_id(trace);
}

inline void EndTraceCapture(IDevice *device, uint8_t, uint32_t id)
{
	compat::check(ttp_trace_end(compat::trace_of(device, id)));
}

inline void ReplayTrace(IDevice *device, uint8_t, uint32_t id, bool blocking)
{
	compat::check(ttp_trace_replay(compat::trace_of(device, id)));
	if (blocking)
		compat::check(ttp_finish(compat::given(device)->handle()));
}

inline void EnqueueTrace(CommandQueue &queue, uint32_t id, bool blocking)
{
	ReplayTrace(queue.device(), 0, id, blocking);
}

inline void ReleaseTrace(IDevice *device, uint32_t id)
{
	ttp_trace_release(compat::trace_of(device, id));
	compat::traces().erase({ compat::number_of(device->handle()), id });
}

// ---- a mesh of one ----

namespace distributed {

class MeshDevice : public IDevice {
    public:
	using IDevice::IDevice;
	static std::shared_ptr<MeshDevice> create_unit_mesh(int id, std::size_t = 0, std::size_t = 0)
	{
		return std::make_shared<MeshDevice>(id, nullptr);
	}
};

using MeshCommandQueue = CommandQueue;

class MeshWorkload {
	std::vector<Program> programs_;

    public:
	void add_program(Program &&program) { programs_.push_back(std::move(program)); }
	std::vector<Program> &programs() { return programs_; }
	void set_runtime_id(uint64_t id)
	{
		for (auto &p : programs_)
			p.set_runtime_id(id);
	}
};

inline void EnqueueMeshWorkload(MeshCommandQueue &queue, MeshWorkload &workload, bool blocking)
{
	for (auto &p : workload.programs())
		EnqueueProgram(queue, p, blocking);
}

inline void Finish(MeshCommandQueue &queue)
{
	tt::tt_metal::Finish(queue);
}

} // namespace distributed

} // namespace tt_metal
} // namespace tt

// The documents write Program, CoreCoord and their like without a namespace.
using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;
using tt::tt_metal::Program;
