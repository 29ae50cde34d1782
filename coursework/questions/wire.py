"""What passes between the marker and the student's process: plain arrays, never pickles.

A message is its length in 8 bytes, then arrays in safetensors form, one of which is a header in
JSON. Reading safetensors runs no code, and sizes that do not add up are refused.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from safetensors.numpy import load, save

LENGTH = struct.Struct(">Q")


def pack(header: dict, arrays: Sequence[np.ndarray] = ()) -> bytes:
    named = {str(i): np.ascontiguousarray(array) for i, array in enumerate(arrays)}
    # ascontiguousarray turns a number into a vector of one
    named = {name: array.reshape(arrays[int(name)].shape) for name, array in named.items()}
    named["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    content = save(named)
    return LENGTH.pack(len(content)) + content


def unpack(content: bytes) -> tuple[dict, list[np.ndarray]]:
    """The header and the arrays. Raises whatever the libraries raise on bad content."""
    named = load(content)
    header = json.loads(named.pop("header").tobytes())
    return header, [named[str(i)] for i in range(len(named))]


@dataclass(frozen=True)
class Answer:
    """What came back from one call of a student's function."""

    # missing, raised, not a tensor, too large, too slow, died, malformed; None: it is an answer
    problem: str | None = None
    error: str = ""  # the name of what was raised, in case it is one of Python's own
    output: np.ndarray | tuple[np.ndarray, ...] | None = None  # a tuple where one was returned
    gradients: tuple[np.ndarray | None, ...] = ()
    inputs: tuple[np.ndarray, ...] = ()  # the arguments after the call

    def pack(self) -> bytes:
        if self.problem:
            return pack({"problem": self.problem, "error": self.error})
        present = [gradient is not None for gradient in self.gradients]
        arrays = [*parts(self.output), *self.inputs, *(g for g in self.gradients if g is not None)]
        header = {"inputs": len(self.inputs), "gradients": present}
        if isinstance(self.output, tuple):
            header["outputs"] = len(self.output)
        return pack(header, arrays)

    @classmethod
    def unpack(cls, content: bytes) -> "Answer":
        header, arrays = unpack(content)
        if "problem" in header:
            return cls(problem=str(header["problem"]), error=str(header["error"]))
        if "outputs" in header:
            n_outputs = int(header["outputs"])
            output, rest = tuple(arrays[:n_outputs]), arrays[n_outputs:]
        else:
            output, *rest = arrays
        n_inputs = int(header["inputs"])
        gradients = iter(rest[n_inputs:])
        return cls(
            output=output,
            inputs=tuple(rest[:n_inputs]),
            gradients=tuple(next(gradients) if there else None for there in header["gradients"]),
        )


def parts(output: np.ndarray | tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    """The arrays of an output, be it one or several."""
    return output if isinstance(output, tuple) else (output,)
