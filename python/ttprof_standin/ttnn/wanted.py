# SPDX-License-Identifier: Apache-2.0
"""What arguments of the stand-in must be: the real ttnn refuses the rest, so a script that runs here should run there."""
import difflib
import functools
import inspect
import operator

from . import asked

# Of the real ttnn, without a meaning here: where and how it computes is the stand-in's own affair.
ACCEPTED = frozenset("""
    activations blocking bcast compute_kernel_config compute_with_storage_grid_size core_grid correction cq_id
    dispatch_core_config fast_and_approximate_mode force global_cb input_tensor_a_activations input_tensor_b_activations
    is_causal_mask l1_small_size lhs_activations memory_config mesh_composer mesh_mapper mesh_type num_command_queues numeric_stable
    offset optional_output_tensor output_dtype output_layout output_tensor output_tile pad_value padding_idx physical_device_ids
    post_activations program_config queue_id residual_input_tensor rhs_activations scalar spec sub_core_grids sub_device_id
    sub_device_ids tile torch_rank trace_region_size transpose_mcast use_legacy use_multicore vector_mode worker_l1_size
    """.split())


def _kind(value):
    return type(value).__name__


def whole(what, value, low, high):
    """An int, and no bool, from low to high."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise TypeError(f"ttnn: {what}: a whole number is wanted, not {_kind(value)}")
    if not low <= number <= high:
        raise ValueError(f"ttnn: {what} {number}: from {low} to {high} is wanted")
    return number


def instance(what, value, kind, name):
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"ttnn: {what}: {name} is wanted, not {_kind(value)} {value!r}"[:200])
    return value


def dim_of(op, dim, rank):
    """As Python counts: -rank to rank - 1."""
    if not rank:
        raise ValueError(f"ttnn.{op}: a tensor without sides has no dim {dim}")
    return whole(f"{op}: dim", dim, -rank, rank - 1) % rank


def dims_of(op, dims, rank):
    """Each of a tensor's dims once, in some order."""
    try:
        found = [dim_of(op, d, rank) for d in dims]
    except TypeError as e:
        raise TypeError(f"ttnn.{op}: dims: a list of whole numbers is wanted, not {dims!r}"[:200]) from e
    if sorted(found) != list(range(rank)):
        raise ValueError(f"ttnn.{op}: dims {list(dims)} of a tensor of rank {rank}: each of 0 to {rank - 1} once is wanted")
    return found


def shape_of(sides):
    try:
        sides = tuple(sides)
    except TypeError as e:
        raise TypeError(f"ttnn: a shape is a list of whole numbers, not {_kind(sides)}") from e
    return tuple(whole("a side of a shape", s, 0, 2**32 - 1) for s in sides)


def checked(function, checks):
    """The same, but for arguments that it does not have; `checks` has a function by the name of what it looks at."""
    parameters = inspect.signature(function).parameters.values()
    by_place = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    known = {*by_place, *(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)}
    any_more = any(p.kind is p.VAR_POSITIONAL and p.name != "_" for p in parameters)
    takes_more = any(p.kind is p.VAR_KEYWORD for p in parameters)
    name = "ttnn." + function.__name__

    @functools.wraps(function)
    def call(*given, **named):
        if len(given) > len(by_place) and not any_more:
            raise TypeError(f"{name}() takes at most {len(by_place)} arguments by their place ({', '.join(by_place)}), and "
                            f"{len(given)} were given")
        for key in named:
            if key not in known and not (takes_more and key in ACCEPTED):
                near = difflib.get_close_matches(key, known | ACCEPTED if takes_more else known, 1)
                raise TypeError(f"{name}() has no argument {key!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        for key, value in (*zip(by_place, given), *named.items()):
            if key in checks:
                checks[key](f"{name}: {key}", value)
        asks = {**dict(zip(by_place, given)), **named}
        with asked.calling(asks.get("memory_config"), asks.get("compute_kernel_config")):
            return function(*given, **named)

    return call
