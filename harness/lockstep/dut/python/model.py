# SPDX-License-Identifier: Apache-2.0
"""A golden model in Python, asked by model.h over standard input: model.py X.py FIELDS...

FIELDS: in:NAME:OFFSET:BYTES, out:NAME:OFFSET:BYTES, param:NAME:VALUE,
text:NAME:VALUE.
X.py has a class State, whose attributes are what the block remembers: numbers, texts, lists and
dictionaries of such. Its functions are outputs(state, inputs, out) and step(state, inputs), and
parameters are names there. Where inputs count in a reset (RESET_IN), it also has reset(state, inputs).

A line asks and a line answers; ports are the structs' bytes in hexadecimal:
  R                 the state after a reset, as JSON
  E STATE\tINPUTS   the outputs
  S STATE\tINPUTS   the state after the edge
  I STATE\tINPUTS   the state after a reset with these inputs; STATE: without
"! LINE TEXT" answers that this line of X.py raised an exception or an assertion. What X.py prints
goes to standard error, and it reads nothing: a line of its own would be taken for an answer.

Lines before an answer say what X.py has read: "@SHA256 PATH"; "@- PATH" for a file that is not
there and would have been taken; "@" for something that nobody can name. A folder's path ends in /,
and its sum is that of the path that it leads to (harness/base/content.h).
"""
import hashlib
import importlib.machinery
import json
import operator
import os
import posix
import stat
import sys
import traceback
from types import SimpleNamespace

questions = os.fdopen(os.dup(0), encoding="utf-8")
answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
os.dup2(2, 1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
path = sys.argv[1]
# as if X.py had been started: its own modules, not those beside this file
sys.path[0] = os.path.dirname(os.path.abspath(path))
fields = {"in": [], "out": []}
names = {"__name__": "model", "__file__": path}
for word in sys.argv[2:]:
    what, name, *rest = word.split(":")
    if what == "param":
        names[name] = int(rest[0])
    elif what == "text":
        names[name] = rest[0]
    else:
        fields[what].append((name, int(rest[0]), int(rest[1])))
out_bytes = max((at + size for _, at, size in fields["out"]), default=0)


# ---- what the model reads

NO_CACHE = "/dev/null/pycache"  # Python believes a .pyc by the times of its source
SUFFIXES = importlib.machinery.all_suffixes()
UNKNOWN = ("os.listdir", "os.scandir", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork",
           "subprocess.Popen", "socket.connect", "ctypes.dlopen", "sqlite3.connect", "urllib.Request")
told = set()
telling = False


def tell(line):
    if line not in told:
        told.add(line)
        os.write(answers.fileno(), line + b"\n")


def tell_file(path):
    """What is at this path now; files are summed before anybody reads them."""
    path = os.path.abspath(os.fsencode(path))
    if path.startswith(NO_CACHE.encode()):
        return
    try:
        mode = posix.stat(path).st_mode
    except OSError:
        mode = None
    if mode is None:
        text = b"- " + path
    elif stat.S_ISDIR(mode):
        text = hashlib.sha256(os.path.realpath(path)).hexdigest().encode() + b" " + path + b"/"
    elif stat.S_ISREG(mode):
        with open(path, "rb") as file:
            text = hashlib.sha256(file.read()).hexdigest().encode() + b" " + path
    else:
        text = b""
    tell(b"@" + (text if len(text) < 4096 and b"\n" not in text else b""))


def tell_module(name):
    """Where the module may be, up to the folder that has it."""
    parent, _, last = name.rpartition(".")
    for folder in list(getattr(sys.modules.get(parent), "__path__", ()) if parent else sys.path):
        base = os.path.join(folder, last)
        files = [base + suffix for suffix in SUFFIXES]
        if os.path.isdir(base):
            files += [os.path.join(base, "__init__" + suffix) for suffix in SUFFIXES]
        else:
            files.append(base)
        there = [os.path.exists(file) for file in files]
        for file, is_there in zip(files, there):
            if not is_there:
                tell_file(file)
        if any(there):
            return


def reads(flags):
    return flags & os.O_ACCMODE != os.O_WRONLY and not flags & os.O_TRUNC


def look(event, args):
    if event == "open" and not isinstance(args[0], int) and reads(args[2]):
        tell_file(args[0])
    elif event == "import" and args[0] not in sys.builtin_module_names:
        tell_module(args[0])
        if args[1]:
            tell_file(args[1])
    elif event in UNKNOWN and "importlib" not in sys._getframe(3).f_code.co_filename:
        tell(b"@")


def quietly(function, *args):
    """What is read to tell is not told."""
    global telling
    if telling:
        return
    telling = True
    try:
        function(*args)
    except Exception:
        tell(b"@")
    finally:
        telling = False


def watch():
    def watched(function):
        def call(path, *args, **kwargs):
            if not isinstance(path, int):
                quietly(tell_file, path)
            return function(path, *args, **kwargs)
        return call
    sys.dont_write_bytecode = True
    sys.pycache_prefix = NO_CACHE
    os.stat, os.lstat = watched(os.stat), watched(os.lstat)
    os.access, os.readlink = watched(os.access), watched(os.readlink)
    sys.addaudithook(lambda event, args: quietly(look, event, args))


# ---- answers


def spread(values):
    """Attributes of these names; "req.addr" is one of `req`, "data[1]" the second of a list."""
    root = SimpleNamespace()
    for name, value in values:
        *before, last = steps_of(name)
        at = root
        for step, below in zip(before, (*before[1:], last)):
            at = put(at, step, [] if isinstance(below, int) else SimpleNamespace())
        put(at, last, value)
    return root


def steps_of(name):
    """ "req[1].addr": req, 1, addr"""
    return [int(step) if step.isdigit() else step for step in name.replace("[", ".").replace("]", "").split(".")]


def put(at, step, value):
    """What is there, or else the value. Elements come in their order."""
    if isinstance(step, str):
        return vars(at).setdefault(step, value)
    if step == len(at):
        at.append(value)
    return at[step]


def parts_of(value, name):
    """Of an object its attributes, of a list its elements, by their whole names; else nothing."""
    if isinstance(value, SimpleNamespace):
        return [(f"{name}.{inner}" if name else inner, of) for inner, of in vars(value).items()]
    return [(f"{name}[{k}]", of) for k, of in enumerate(value)] if isinstance(value, list) else []


def gathered(root, name=""):
    """All values by their whole names."""
    found = {}
    for whole, value in parts_of(root, name):
        if isinstance(value, (SimpleNamespace, list)):
            found.update(gathered(value, whole))
        else:
            found[whole] = value
    return found


def value_of(out, name):
    at = out
    for step in steps_of(name):
        at = at[step] if isinstance(step, int) else getattr(at, step)
    return at


def inputs_of(text):
    data = bytes.fromhex(text)
    return spread((name, int.from_bytes(data[at:at + size], "little")) for name, at, size in fields["in"])


def state_of(text):
    state = names["State"].__new__(names["State"])
    state.__dict__.update(json.loads(text))
    return state


def text_of(state):
    return json.dumps(vars(state), separators=(",", ":"))


def outputs(state, inputs):
    out = spread((name, 0) for name, _, _ in fields["out"])
    names["outputs"](state, inputs, out)
    data = bytearray(out_bytes)
    for name, at, size in fields["out"]:
        value = operator.index(value_of(out, name))
        if abs(value) >> 8 * size:
            raise OverflowError(f"output {name} has more than {8 * size} bits: {value}")
        data[at:at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    unknown = set(gathered(out)) - {name for name, _, _ in fields["out"]}
    if unknown:
        raise AttributeError(f"there is no output {sorted(unknown)[0]}")
    return data.hex()


class Impure(Exception):
    """A function writes what it is given to read; nobody would see what it wrote."""

    def __init__(self, function, what, why):
        super().__init__(f"{function} writes its {what}: {why}")
        code = getattr(names[function], "__code__", None)
        self.line = code.co_firstlineno if code else 0


def kept_inputs(function, inputs, before, why):
    if gathered(inputs) != before:
        raise Impure(function, "inputs", why)


def answer(line):
    if line[0] == "R":
        return text_of(names["State"]())
    given, inputs = line[1:].split("\t")
    state, inputs = state_of(given), inputs_of(inputs)
    before = gathered(inputs)
    if line[0] == "E":
        text, why = outputs(state, inputs), "it must be pure, a function of state and inputs that changes neither"
        kept_inputs("outputs", inputs, before, why)
        try:
            now = text_of(state)
        except (TypeError, ValueError):
            now = None
        if now != given and now != text_of(state_of(given)):  # keys that JSON makes one of
            raise Impure("outputs", "state", why)
        return text
    function = "reset" if line[0] == "I" else "step"
    names[function](state, inputs)
    kept_inputs(function, inputs, before, "they are of this cycle alone")
    return text_of(state)


def reason(error):
    """Where in X.py, and what."""
    if isinstance(error, Impure):
        return error.line, str(error)
    if isinstance(error, SyntaxError):
        return error.lineno or 0, f"SyntaxError: {error.msg}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    text = str(error)
    if isinstance(error, AssertionError) and not text and frames:
        text = frames[-1].line
    if isinstance(error, KeyError) and not frames:
        text = f"{path} has no {text}"
    return (frames[-1].lineno if frames else 0), f"{type(error).__name__}: {text}"


def main():
    failed = None
    watch()
    try:
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), names)
    except BaseException as error:  # a model may do anything
        failed = reason(error)
    for line in questions:
        try:
            said = f"! {failed[0]} {failed[1]}" if failed else answer(line.rstrip("\n"))
        except BaseException as error:
            said = "! {} {}".format(*reason(error))
        answers.write(said.replace("\n", " ") + "\n")
        answers.flush()


main()
