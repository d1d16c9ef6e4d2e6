"""The description holds: whatever is generated from it is answered by a status and a body it declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from msat.questions.requests import QUESTIONS
from msat.service.examples import EXAMPLES
from msat.service.openapi import STATUSES, description
from msat.service.problems import TITLES
from msat.service.settings import Settings
from tests.conftest import scaled
from tests.support.service import Service

load_all_checks()
described = description(Settings())
schema = schemathesis.openapi.from_dict(described)
CHECKS = [
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
]


@pytest.fixture(scope="module")
def quick() -> Iterator[Service]:
    """A service that takes its time for nothing."""
    running = Service("--workers", "1", "--budget", "0.3", "--max-cells", "400", MSAT_KERNELS="plain")
    yield running
    assert running.stop() == (0, "")


@schema.parametrize()
@settings(max_examples=scaled(12), suppress_health_check=list(HealthCheck))
def test_generated_requests(case: Any, quick: Service) -> None:
    case.call_and_validate(base_url=quick.address, checks=CHECKS, timeout=300)


def test_every_question_is_described_with_an_example() -> None:
    assert set(EXAMPLES) == {*QUESTIONS, "batch"}
    paths = {path for path in described["paths"] if path.startswith("/api/")}
    assert paths == {f"/api/v1/{name}" for name in EXAMPLES}
    for name in EXAMPLES:
        responses = described["paths"][f"/api/v1/{name}"]["post"]["responses"]
        assert set(responses) == {"200", *map(str, STATUSES)}
    assert len(TITLES) == len(set(TITLES.values()))
