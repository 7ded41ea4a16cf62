#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds results against the schemas, and the schemas against broken results.

validate.py results SCHEMAS KEPT LOCKSTACK ELSEWHERE [STEM...]
  SCHEMAS is docs/schema. KEPT has one folder of results for each test that ran. LOCKSTACK says
  which verbs there are. Each verb has a schema, and each result is as its schema says. When the
  folders of all STEMs are there, a verb without results is wrong as well, and so is a field that
  none of its results has. Other suites make the results of the verbs in ELSEWHERE (words in one
  argument). Nobody makes fields whose $comment, or that of what they lie in, begins with
  "not in tests:".
validate.py refuses SCHEMAS SAMPLES
  SAMPLES has one or more results VERB*.json for each schema. Each is accepted. It is refused
  without one of the keys that must be there, with one key more, with a value of another type, or
  with one that its list does not have.
Exit status 0: all holds; 1: one line for each thing that does not; 2: bad usage.
"""
import copy
import glob
import json
import os
import re
import subprocess
import sys

from jsonschema import Draft202012Validator

try:
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012
except ImportError:  # Debian 12
    from jsonschema import RefResolver
    Registry = None

COMMON = ("schema", "provenance", "interrupted", "content")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def name_file(node, file):
    """References within a file say its name, too: a part of a schema is one by itself then."""
    for key, inner in node.items() if isinstance(node, dict) else enumerate(node):
        if key == "$ref" and inner.startswith("#"):
            node[key] = file + inner
        elif isinstance(inner, (dict, list)):
            name_file(inner, file)


class Schemas:
    """All files of a folder; `verbs`: those that are of a verb."""

    def __init__(self, folder):
        self.store = {os.path.basename(path): load(path) for path in glob.glob(folder + "/*.json")}
        self.verbs = {name[:-5]: schema for name, schema in sorted(self.store.items()) if name != "common.json"}
        for name, schema in self.store.items():
            Draft202012Validator.check_schema(schema)
            name_file(schema, name)
        if Registry:
            resources = ((name, DRAFT202012.create_resource(schema)) for name, schema in self.store.items())
            self.how = {"registry": Registry().with_resources(resources)}
        else:
            self.how = {"resolver": RefResolver("", {}, store=self.store)}

    def checker(self, schema):
        return Draft202012Validator(schema, **self.how)

    def target(self, ref):
        file, _, path = ref.partition("#/")
        node = self.store[file]
        for step in path.split("/"):
            node = node[step]
        return file, node

    def holds(self, schema, value):
        return self.checker(schema).is_valid(value)

    def here(self, file, schema, value):
        """(file, node) of all that is said of this very value: the schema, what it refers to, and the
        forms that the value has."""
        yield file, schema
        if "$ref" in schema:
            yield from self.here(*self.target(schema["$ref"]), value)
        inner = [one for one in schema.get("oneOf", []) + schema.get("anyOf", []) if self.holds(one, value)]
        inner += schema.get("allOf", [])
        if "if" in schema:
            inner.append(schema.get("then" if self.holds(schema["if"], value) else "else", {}))
        for one in inner:
            yield from self.here(file, one, value)

    def places(self, file, schemas, value, path=()):
        """(path, value, [node]) of a value and all that lies in it."""
        said = [pair for schema in schemas for pair in self.here(*schema, value)]
        yield path, value, [node for _, node in said]
        if isinstance(value, dict):
            for key, inner in value.items():
                found = [(name, node["properties"][key]) for name, node in said if key in node.get("properties", {})]
                named = [(name, node["additionalProperties"]) for name, node in said
                         if isinstance(node.get("additionalProperties"), dict)]
                yield from self.places(file, found or named, inner, path + (key,))
        elif isinstance(value, list):
            for i, inner in enumerate(value):
                items = [(name, node["items"]) for name, node in said if "items" in node]
                yield from self.places(file, items, inner, path + (i,))


def fields(schema, path="", above="", asked=True):
    """(path, node, descriptions above it, whether tests should have it) of all fields that a file describes itself."""
    above += " " + schema.get("description", "")
    asked = asked and not schema.get("$comment", "").startswith("not in tests:")
    for name, inner in schema.get("properties", {}).items():
        yield path + name, inner, above, asked and not inner.get("$comment", "").startswith("not in tests:")
        yield from fields(inner, path + name + ".", above, asked)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from fields(schema[key], path, above, asked)
    for inner in list(schema.get("$defs", {}).values()) + schema.get("anyOf", []):
        yield from fields(inner, path, above, asked)


def undescribed(schemas):
    """Each field says what it is, or what it lies in does, by its name."""
    for name, schema in sorted(schemas.store.items()):
        for path, node, above, _ in fields(schema):
            key = path.split(".")[-1]
            if "description" in node or path in COMMON:
                continue
            if not re.search(r"\b%s\b" % re.escape(key), above):
                yield "%s: nothing describes '%s'" % (name, path)


def deepest(error):
    """Of a value that has none of several forms, the error that lies deepest says most."""
    while error.context:
        error = max(error.context, key=lambda inner: len(inner.absolute_path))
    return error


class Entries:
    """Entries of results' content.files that were accepted. Nearly all of a result are such entries, and
    most are those of other results, too: an equal one needs no second look."""

    def __init__(self, schemas):
        said = schemas.store["common.json"]["$defs"]["content"]["properties"]["files"]
        # what is said of the list as a whole could be wrong of equal entries
        self.alike = set(said) <= {"description", "type", "items"}
        self.accepted = set()

    def new(self, result):
        """The result without entries that were accepted, and the texts of the others."""
        content = result.get("content") if isinstance(result, dict) else None
        files = content.get("files") if isinstance(content, dict) else None
        if not self.alike or not isinstance(files, list):
            return result, set()
        left = {json.dumps(one): one for one in files}
        left = {text: one for text, one in left.items() if text not in self.accepted}
        return {**result, "content": {**content, "files": list(left.values())}}, set(left)


def results(folder, kept, lockstack, elsewhere, stems):
    schemas = Schemas(folder)
    entries = Entries(schemas)
    verbs = subprocess.run([lockstack, "--names", "verbs"], check=True, capture_output=True, text=True).stdout.split()
    wrong = ["%s: no schema %s/%s.json" % (verb, folder, verb) for verb in verbs if verb not in schemas.verbs]
    for name in schemas.verbs:  # VERB, or VERB_WAY where it has another result
        if name.split("_")[0] not in verbs:
            wrong.append("%s.json: there is no verb '%s'" % (name, name.split("_")[0]))
    wrong += undescribed(schemas)
    found, seen = set(), set()
    for path in sorted(glob.glob(kept + "/*/*.json")):
        verb = os.path.basename(path).split("-")[0].split(".")[-1]
        if verb not in schemas.verbs:
            continue
        result, schema = load(path), schemas.verbs[verb]
        short, texts = entries.new(result)
        if schemas.holds(schema, short):
            entries.accepted |= texts
            result = short
        else:  # whole, for the places of its errors
            errors = [deepest(error) for error in schemas.checker(schema).iter_errors(result)]
            wrong += ["%s: %s: %s" % (path, error.json_path, error.message[:200]) for error in errors]
        found.add(verb)
        places = schemas.places(verb + ".json", [(verb + ".json", schema)], result)
        seen.update(id(node) for _, _, nodes in places for node in nodes)
    if all(os.path.isdir(os.path.join(kept, stem)) for stem in stems):
        wrong += ["%s: no test keeps a result of it" % verb for verb in verbs
                  if verb in schemas.verbs and verb not in found | set(elsewhere)]
        for name, schema in sorted(schemas.store.items()):
            wrong += ["%s: no result has '%s'" % (name, path) for path, node, _, asked in fields(schema)
                      if asked and name[:-5] not in elsewhere and (name != "common.json" or path not in COMMON)
                      and "$ref" not in node and "description" in node and id(node) not in seen]
    return wrong


def edited(result, path, change):
    """A copy in which change(holder, key) was done to what lies at a path."""
    whole = copy.deepcopy({"": result})
    holder, path = whole, ("",) + path
    for step in path[:-1]:
        holder = holder[step]
    change(holder, path[-1])
    return whole[""]


def other(value, nodes):
    """A value of a type that its place does not have."""
    types = {word for node in nodes
             for word in ([node["type"]] if isinstance(node.get("type"), str) else node.get("type", []))}
    lists = isinstance(value, list) or "array" in types
    if not lists:
        return [["?"]]
    return "?" if isinstance(value, dict) or "object" in types else {"?": ["?"]}


def broken(path, value, nodes):
    """(what, change) for what is said of a value."""
    def put(new):
        return lambda holder, key: holder.__setitem__(key, new)
    if path and any(set(node) - {"description"} for node in nodes):
        yield "type", "another type", put(other(value, nodes))
    if any("enum" in node or "const" in node for node in nodes):
        yield "value", "a value that is not listed", put("UNHEARD_OF")
    if not isinstance(value, dict):
        return
    must = {key for node in nodes for key in node.get("required", [])}
    must |= {key for node in nodes for trigger, keys in node.get("dependentRequired", {}).items() if trigger in value
             for key in keys}
    for key in sorted(must):
        yield "missing", "no '%s'" % key, lambda holder, at, key=key: holder[at].pop(key)
    free = any(node.get("additionalProperties") is True for node in nodes)
    if any("properties" in node for node in nodes) and not free:
        yield "extra", "an unheard-of key", lambda holder, at: holder[at].__setitem__("unheard_of", 1)


def refuses(folder, samples):
    schemas, wrong = Schemas(folder), []
    for verb, schema in schemas.verbs.items():
        done, tried = set(), set()
        for path in sorted(glob.glob("%s/%s.json" % (samples, verb)) + glob.glob("%s/%s-*.json" % (samples, verb))):
            result, checker = load(path), schemas.checker(schema)
            errors = ["%s: %s" % (path, deepest(error).message[:200]) for error in checker.iter_errors(result)]
            wrong += errors
            places = [] if errors else schemas.places(verb + ".json", [(verb + ".json", schema)], result)
            for at, value, nodes in places:
                for kind, what, change in broken(at, value, nodes):
                    # where the same is said of many places, as of parts' counters, one of them is tried
                    same = (what, tuple(map(id, nodes)))
                    if same in tried:
                        continue
                    tried.add(same)
                    done.add(kind + " at the top" if kind in ("missing", "extra") and not at else kind)
                    if checker.is_valid(edited(result, at, change)):
                        wrong.append("%s: %s.json accepts %s at '%s'" % (path, verb, what, ".".join(map(str, at))))
        for kind in sorted({"type", "value", "missing at the top", "extra at the top"} - done):
            wrong.append("%s.json: no sample in %s lets '%s' be tried" % (verb, samples, kind))
    return wrong


def main(words):
    if len(words) >= 5 and words[0] == "results":
        return results(words[1], words[2], words[3], words[4].split(), words[5:])
    if len(words) == 3 and words[0] == "refuses":
        return refuses(words[1], words[2])
    print(__doc__, file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    lines = main(sys.argv[1:])
    print("\n".join(lines) or "schemas and results agree")
    sys.exit(1 if lines else 0)
