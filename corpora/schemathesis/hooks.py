"""Names each failure, drops those that are allowed, and writes all of them, before failures of one kind are merged."""

import json
import os
import re
import threading

import jsonschema_rs
import schemathesis

allowed = [
    (pattern, re.compile(re.escape(pattern).replace(r"\*", ".*"), re.DOTALL))
    for pattern in json.loads(os.environ["FUZZ_ALLOWED"])
]
failures = open(os.environ["FUZZ_FAILURES"], "a", encoding="utf-8")
lock = threading.Lock()
validators = {}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    kind = type(failure).__name__
    names = [f"{kind} {case.operation.label} {each}".strip() for each in subjects(kind, failure, case, response)]
    allowed_by = [next((pattern for pattern, regex in allowed if regex.fullmatch(name)), None) for name in names]
    if names:
        line = {
            "names": list(zip(names, allowed_by)),
            "request": f"{case.method} {case.formatted_path}",
            "body": repr(case.body)[:2000],
            "message": failure.message[:2000],
            "status": response.status_code,
            "answer": response.text[:2000],
        }
        with lock:
            failures.write(json.dumps(line) + "\n")
            failures.flush()
    return None in allowed_by


def subjects(kind, failure, case, response):
    """What a failure is about: the faults of a refusal, or what is wrong with the request; none if the tool is mistaken."""
    lines = [line.strip() for line in failure.message.splitlines() if line.strip()]
    last = lines[-1] if lines else failure.title
    if kind == "RejectedPositiveData":
        if not is_valid(case, case.body):
            return []
        try:
            problem = response.json()
        except ValueError:
            return [last]
        errors = problem.get("errors") or [{"path": "", "code": problem.get("code")}]
        # Items of a list have one name.
        return sorted({f"{re.sub(r'/[0-9]+(?=/|$)', '/*', each['path'])} {each['code']}".strip() for each in errors})
    if kind == "AcceptedNegativeData" and "in header" not in last and is_valid(case, without_blanks(case.body)):
        return [] if is_valid(case, case.body) else ["blank text"]
    return [last.removeprefix("Invalid component: ").removeprefix("in body - ").split(" -> Array with invalid items")[0]]


def without_blanks(value):
    """Blank text counts as missing, like null."""
    if isinstance(value, dict):
        return {key: without_blanks(each) for key, each in value.items() if not is_blank(each)}
    return [without_blanks(each) for each in value] if isinstance(value, list) else value


def is_blank(value):
    return isinstance(value, str) and value.strip() == ""


def is_valid(case, body):
    """Validates a body by the document. A request without a body has no fault in it."""
    definition = case.operation.definition.raw.get("requestBody", {})
    schema = definition.get("content", {}).get("application/json", {}).get("schema")
    if schema is None or isinstance(body, (bytes, schemathesis.core.NotSet)):
        return True
    label = case.operation.label
    if label not in validators:
        components = case.operation.schema.raw_schema["components"]
        validators[label] = jsonschema_rs.Draft202012Validator({**schema, "components": components})
    return validators[label].is_valid(body)
