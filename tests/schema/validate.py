#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds results against the schemas: validate.py SCHEMAS PAGE KEPT [STEM...]

SCHEMAS is docs/schema, PAGE is docs/json.md, KEPT has one folder of results for each test that ran. Results of a verb without a
schema are passed over. When the folders of all STEMs are there, a field that no result has shown is wrong as well.
Exit status 0: all holds; 1: one line for each thing that does not; 2: bad usage.
"""
import glob
import json
import os
import re
import sys

from jsonschema import Draft202012Validator, RefResolver


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def tables(schema):
    """Fields that only some results have: $defs with a title, which stands above their table in the page."""
    return [table for table in schema.get("$defs", {}).values() if "title" in table]


def fields(schema, path=""):
    """The paths of all fields that a schema describes itself: those of common.json are not of one verb."""
    for name, inner in schema.get("properties", {}).items():
        if "$ref" in inner:
            continue
        yield path + name
        yield from fields(inner, path + name + ".")
    if "items" in schema:
        yield from fields(schema["items"], path)
    for table in tables(schema):
        yield from fields(table, path)


def shown(value, path=""):
    """The paths of all fields that a result has."""
    if isinstance(value, list):
        for inner in value:
            yield from shown(inner, path)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield path + name
            yield from shown(inner, path + name + ".")


def page_tables(page, verb, titles):
    """[{key: sentence}] of a verb's section in the page: before the first of these lines, and behind each."""
    section = re.search(r"^## `lockstack\.%s/.*?(?=^## |\Z)" % verb, page, re.M | re.S)
    found, text = [], section.group(0) if section else ""
    for title in titles + [None]:
        before, _, text = text.partition("\n%s\n" % title) if title else (text, "", "")
        rows = re.findall(r"^\| (`.*?) \| (.*) \|$", before, re.M)
        found.append({key: sentence for keys, sentence in rows for key in re.findall(r"`(\w+)`", keys)})
    return found


def page_wrong(page, verb, schema):
    parts = [schema] + tables(schema)
    for part, rows in zip(parts, page_tables(page, verb, [table["title"] for table in parts[1:]])):
        said = {key: value["description"] for key, value in part["properties"].items() if "description" in value}
        for key in sorted(said.keys() | rows.keys()):
            if said.get(key) != rows.get(key):
                yield "docs/json.md: %s: '%s' is '%s', in the schema '%s'" % (verb, key, rows.get(key), said.get(key))


def main(schemas, page, kept, stems):
    store = {os.path.basename(path): load(path) for path in glob.glob(schemas + "/*.json")}
    verbs = {name[:-5]: schema for name, schema in store.items() if name != "common.json"}
    if not verbs:
        return ["%s: no schemas" % schemas]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    wrong, seen = [], {verb: set() for verb in verbs}
    for verb, schema in sorted(verbs.items()):
        Draft202012Validator.check_schema(schema)
        wrong += page_wrong(text, verb, schema)
    for path in sorted(glob.glob(kept + "/*/*.json")):
        verb = os.path.basename(path).split("-")[0].split(".")[-1]
        if verb not in verbs:
            continue
        result = load(path)
        checker = Draft202012Validator(verbs[verb], resolver=RefResolver(verb + ".json", verbs[verb], store=store))
        wrong += ["%s: %s: %s" % (path, error.json_path, error.message[:200]) for error in checker.iter_errors(result)]
        seen[verb].update(shown(result))
    if all(os.path.isdir(os.path.join(kept, stem)) for stem in stems):
        wrong += ["%s.json: no result has '%s'" % (verb, field)
                  for verb, schema in sorted(verbs.items()) for field in fields(schema) if field not in seen[verb]]
    return wrong


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit((print(__doc__, file=sys.stderr), 2)[1])
    found = main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
    print("\n".join(found) or "the results are as their schemas say")
    sys.exit(1 if found else 0)
