"""Plans as files and from other accountants: what is read, and what is refused with its field and line."""

from __future__ import annotations

import json
from fractions import Fraction

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.accounting.plans.files import read_plan, schema
from rgm_verify.accounting.plans.importers import from_dp_accounting, from_opacus, from_training
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import KINDS, DpSgd, Gaussian, Laplace, release_of
from rgm_verify.errors import InputError

JSON = """{
 "adjacency": "replace-one",
 "delta": 1e-6,
 "budget": "5/2",
 "releases": [
  {"mechanism": "gaussian", "noise_multiplier": 0.1, "count": 10, "name": "means"},
  {"mechanism": "laplace",
   "scale": "1/3"}
 ]
}
"""
TOML = """adjacency = "replace-one"
delta = 1e-6
budget = "5/2"

[[releases]]
mechanism = "gaussian"
noise_multiplier = 0.1
count = 10
name = "means"

[[releases]]
mechanism = "laplace"
scale = "1/3"
"""
EXPECTED = [Gaussian(Fraction(1, 10), 10), Laplace(Fraction(1, 3), 1)]


def written(folder, text, name="plan.json"):
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(("text", "name"), [(JSON, "plan.json"), (TOML, "plan.toml")])
def test_numbers_are_taken_as_they_are_written(tmp_path, text, name):
    found = read_plan(written(tmp_path, text, name))
    assert found.releases == EXPECTED
    assert [line.name for line in found.lines] == ["means", "2: laplace"]
    assert (found.adjacency, found.delta, found.budget) == ("replace-one", Fraction(1, 10**6), Fraction(5, 2))


def test_the_schema_takes_what_is_read_and_knows_every_kind():
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(json.loads(JSON), schema())
    assert set(schema()["$defs"]) == set(KINDS)


JSON_FAULTS = [
    ('"delta": 1e-6', '"delta": 2', 3, "delta"),
    ('"delta": 1e-6', '"delta": -1', 3, "delta"),
    ('"delta": 1e-6', '"delta": true', 3, "delta"),
    ('"delta": 1e-6', '"delta": 1e-6, "epsilon": 1', 3, "delta"),
    ('"delta": 1e-6,', '"delta": 1e-6, "delta": 1e-7,', 3, "twice"),
    ('"delta": 1e-6', '"delta": NaN', 3, "no value of JSON"),
    ('"delta": 1e-6', '"delta": 1e-6, "sigma": 1', 3, "sigma: no such field"),
    ('"adjacency": "replace-one"', '"adjacency": "neighbours"', 2, "adjacency"),
    ('"noise_multiplier": 0.1', '"noise_multiplier": -1', 6, "releases[0].noise_multiplier"),
    ('"noise_multiplier": 0.1', '"noise_multiplier": 1e-99', 6, "releases[0].noise_multiplier"),
    ('"noise_multiplier": 0.1, ', "", 6, "releases[0].noise_multiplier: missing"),
    ('"count": 10', '"count": 0', 6, "releases[0].count"),
    ('"count": 10', '"count": 1.5', 6, "releases[0].count"),
    ('"count": 10', '"rate": 10', 6, "releases[0].rate: no such field"),
    ('"scale": "1/3"', '"scale": "1/0"', 8, "releases[1].scale"),
    ('"scale": "1/3"', '"scale": [1]', 8, "releases[1].scale"),
    ('"mechanism": "laplace"', '"mechanism": "laplas"', 7, "releases[1].mechanism"),
    ('"mechanism": "laplace",', "", 7, "releases[1].mechanism: missing"),
    ('"name": "means"', '"name": 1', 6, "releases[0].name"),
    ('"laplace",', '"laplace"', 8, "comma"),
    ('"budget": "5/2"', '"budget": "-1"', 4, "budget"),
    (
        '{"mechanism": "laplace",\n   "scale": "1/3"}',
        '{"mechanism": "dp-sgd", "sampler": "poisson", "sampling_rate": 2, "noise_multiplier": 1}',
        7,
        "releases[1].sampling_rate",
    ),
    (
        JSON[JSON.index('"replace-one"') : JSON.index("\n ]")],
        '"add-one",\n "delta": 1e-6,\n "releases": [\n\n\n'
        '  {"mechanism": "dp-sgd", "sampler": "fixed-batch", "sampling_rate": "1/2", "noise_multiplier": 1}',
        7,
        "adjacency",
    ),
]


@pytest.mark.parametrize(("old", "new", "line", "says"), JSON_FAULTS)
def test_what_is_wrong_has_its_line_and_field(tmp_path, old, new, line, says):
    assert old in JSON
    with pytest.raises(InputError) as caught:
        read_plan(written(tmp_path, JSON.replace(old, new, 1)))
    assert str(caught.value).startswith(f"plan.json:{line}: ")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("delta = 1e-6", "delta = 2", 2, "delta"),
        ("noise_multiplier = 0.1", "noise_multiplier = nan", 7, "noise_multiplier"),
        ("count = 10", "count = -1", 8, "releases[0].count"),
        ('scale = "1/3"', 'scale = "0"', 13, "releases[1].scale"),
        ('scale = "1/3"', 'sigma = "1"', 13, "releases[1].sigma: no such field"),
        ('scale = "1/3"', "", 11, "releases[1].scale: missing"),
        ('mechanism = "laplace"', "mechanism = laplace", 12, "Invalid value"),
    ],
)
def test_the_same_holds_for_toml(tmp_path, old, new, line, says):
    with pytest.raises(InputError) as caught:
        read_plan(written(tmp_path, TOML.replace(old, new, 1), "plan.toml"))
    assert str(caught.value).startswith(f"plan.toml:{line}: ")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "3", '{"releases": []}', '{"releases": {}}', "{", '{"a"', "[[[", '"x']
)
def test_what_is_no_plan_is_refused(tmp_path, text):
    with pytest.raises(InputError, match=r"plan\.json:1: "):
        read_plan(written(tmp_path, text))


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists), st.integers(0, 400))
def test_no_text_is_more_than_refused(tmp_path_factory, value, cut):
    folder = tmp_path_factory.mktemp("plans")
    for text in (json.dumps({"releases": value}), JSON[:cut], JSON[:cut] + json.dumps(value)):
        try:
            read_plan(written(folder, text))
        except InputError as error:
            assert str(error).startswith("plan.json:")  # noqa: PT017 - whether there is an error is not the question


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_plan(tmp_path / "none.json")
    with pytest.raises(InputError, match=r"\.json or \.toml"):
        read_plan(written(tmp_path, JSON, "plan.yaml"))


# ---------------------------------------------------------------------------------------------------- importers


def sampled(rate, noise, count, sampler="poisson"):
    fields = {"sampling_rate": rate, "noise_multiplier": noise, "count": count, "sampler": sampler}
    return release_of("dp-sgd", fields)


class _Opacus:
    history = [(1.5, 0.01, 100), (2.0, 0.01, 50)]  # noqa: RUF012 - as an accountant of Opacus has it


@pytest.mark.parametrize("given", [_Opacus(), _Opacus.history, {"history": _Opacus.history, "mechanism": "prv"}])
def test_a_history_of_opacus_is_a_plan(given):
    found = from_opacus(given, sampler="poisson")
    assert found.releases == [sampled(Fraction(0.01), "3/2", 100), sampled(Fraction(0.01), 2, 50)]
    assert found.adjacency == "add-or-remove-one"


@pytest.mark.parametrize(
    ("history", "names"),
    [([], "history"), ([(1, 2)], r"history\[0\]"), ([(1.0, 2.0, 3)], "sampling_rate"), ("x", "history")],
)
def test_another_history_is_refused(history, names):
    with pytest.raises(InputError, match=names):
        from_opacus(history, sampler="poisson")


def test_settings_of_a_training_run_are_a_plan():
    usual = {"batch_size": 256, "noise_multiplier": 1.1, "sampler": "poisson"}
    found = from_training(usual | {"num_examples": 60000, "num_steps": 100})
    assert found.releases == [sampled(Fraction(256, 60000), Fraction(1.1), 100)]
    epochs = from_training(usual | {"dataset_size": 60000, "epochs": 2})
    # A loader has 235 batches, the last of which is smaller.
    assert epochs.releases[0].count == 2 * 235
    fixed = from_training(
        {"batch_size": 1, "num_examples": 2, "num_steps": 1, "noise_multiplier": 1, "sampler": "fixed-batch"}
    )
    assert fixed.adjacency == "replace-one"


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"batch_size": 0}, "batch_size"),
        ({"batch_size": 3}, "batch_size"),
        ({"epochs": 1}, "num_steps"),
        ({"dataset_size": 2}, "twice"),
        ({"lr": 1}, "lr"),
        ({"noise_multiplier": float("nan")}, "noise_multiplier"),
    ],
)
def test_settings_that_do_not_fit_are_refused(change, names):
    usual = {"batch_size": 1, "num_examples": 2, "num_steps": 1, "noise_multiplier": 1, "sampler": "poisson"}
    with pytest.raises(InputError, match=names):
        from_training(usual | change)


EVENT = {
    "type": "ComposedDpEvent",
    "events": [
        {"type": "SelfComposedDpEvent", "count": 10, "event": {"type": "GaussianDpEvent", "noise_multiplier": 2.0}},
        {
            "type": "SelfComposedDpEvent",
            "count": 5,
            "event": {
                "type": "PoissonSampledDpEvent",
                "sampling_probability": 0.25,
                "event": {"type": "GaussianDpEvent", "noise_multiplier": 1.0},
            },
        },
        {"type": "dp_accounting.LaplaceDpEvent", "noise_multiplier": 4},
        {"type": "NoOpDpEvent"},
    ],
}


def test_events_as_mappings_are_a_plan():
    found = from_dp_accounting(EVENT, adjacency="ADD_OR_REMOVE_ONE")
    assert found.releases == [Gaussian(Fraction(2), 10), sampled("1/4", 1, 5), Laplace(Fraction(4))]


def test_events_of_dp_accounting_are_the_same_plan():
    dp = pytest.importorskip("dp_accounting")
    event = dp.ComposedDpEvent(
        [
            dp.SelfComposedDpEvent(dp.GaussianDpEvent(2.0), 10),
            dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(0.25, dp.GaussianDpEvent(1.0)), 5),
            dp.LaplaceDpEvent(4.0),
            dp.NoOpDpEvent(),
        ]
    )
    both = dp.NeighboringRelation.ADD_OR_REMOVE_ONE, dp.NeighboringRelation.REPLACE_ONE
    found = [from_dp_accounting(e, adjacency=both[0]) for e in (event, EVENT)]
    assert found[0] == found[1]
    relation = both[1]
    batch = from_dp_accounting(dp.SampledWithoutReplacementDpEvent(10, 2, dp.GaussianDpEvent(1.0)), adjacency=relation)
    assert batch.releases == [sampled("1/5", 1, 1, "fixed-batch")]
    answer = from_dp_accounting(dp.RandomizedResponseDpEvent(0.5, 4), adjacency=relation)
    assert (answer.releases[0].truth, answer.releases[0].answers) == (Fraction(5, 8), 4)
    assert answer.adjacency == "replace-one"
    discrete = dp.dp_event.DiscreteLaplaceDpEvent(0.25, 3)
    noise = [from_dp_accounting(discrete, adjacency=r).releases[0] for r in both]
    assert [(n.scale, n.sensitivity) for n in noise] == [(4, 3), (4, 6)]


@pytest.mark.parametrize(
    "event",
    [
        {"type": "DiscreteGaussianDpEvent", "sigma": 1, "sensitivity": 2},
        {"type": "DiscreteGaussianDpEvent", "sigma": 1, "sensitivity": 1},
    ],
)
@pytest.mark.parametrize("inside", [False, True])
def test_noise_that_may_be_on_a_vector_is_not_taken_for_noise_on_a_number(event, inside):
    asked = {"type": "SelfComposedDpEvent", "count": 3, "event": event} if inside else event
    with pytest.raises(InputError, match=rf"^event(\.event)?: {event['type']} may be noise on every coordinate"):
        from_dp_accounting(asked, adjacency="add-or-remove-one")
    found = from_dp_accounting(asked, adjacency="add-or-remove-one", one_number=True)
    assert [release.count for release in found.releases] == [3 if inside else 1]


@pytest.mark.parametrize(
    ("event", "names"),
    [
        ({"type": "NonPrivateDpEvent"}, "NonPrivateDpEvent"),
        ({"type": "GaussianDpEvent"}, "noise_multiplier: missing"),
        ({}, "type"),
        ({"type": "NoOpDpEvent"}, "nothing"),
        (
            {"type": "PoissonSampledDpEvent", "sampling_probability": 0.5, "event": {"type": "LaplaceDpEvent"}},
            "Gaussian noise",
        ),
    ],
)
def test_other_events_are_refused(event, names):
    with pytest.raises(InputError, match=names):
        from_dp_accounting(event, adjacency="ADD_OR_REMOVE_ONE")


def test_what_no_importer_can_know_is_asked_for():
    """The sampler of a history or a training run and the neighbours of an event decide what an epsilon is worth."""
    training = {"batch_size": 256, "num_examples": 60000, "num_epochs": 15, "noise_multiplier": "1.1"}
    for ask in (lambda: from_training(training), lambda: from_opacus([(1.0, 0.01, 10)])):
        with pytest.raises(InputError, match=r'sampler: missing; "poisson" .* "fixed-batch"'):
            ask()
    with pytest.raises(InputError, match="shuffled"):
        from_opacus([(1.0, 0.01, 10)], sampler="shuffled")
    assert from_opacus([(1.0, 0.01, 10)], sampler="fixed-batch").adjacency == "replace-one"
    gaussian = {"type": "GaussianDpEvent", "noise_multiplier": 4.0}
    batch = {"type": "SampledWithoutReplacementDpEvent", "sample_size": 1, "source_dataset_size": 2, "event": gaussian}
    for event in (gaussian, batch, {"type": "ComposedDpEvent", "events": [batch, gaussian]}):
        with pytest.raises(InputError, match=r"adjacency: missing; .*ADD_OR_REMOVE_ONE.*REPLACE_ONE"):
            from_dp_accounting(event)
    discrete = {"type": "DiscreteGaussianDpEvent", "sigma": 2, "sensitivity": 1, "dimension": 1}
    with pytest.raises(InputError, match=r"event\.sensitivity: it is that of a function"):
        from_dp_accounting(discrete, adjacency="REPLACE_ONE")
    with pytest.raises(InputError, match=r"event\.dimension=3"):
        from_dp_accounting(discrete | {"dimension": 3}, adjacency="ADD_OR_REMOVE_ONE", one_number=True)


RUN = {"noise_multiplier": 1, "sampling_rate": "1/2"}


def test_neighbours_are_asked_for_where_a_sensitivity_stands_beside_a_sampler():
    poisson, fixed = (release_of("dp-sgd", {**RUN, "sampler": name}) for name in ("poisson", "fixed-batch"))
    answer = release_of("randomised-response", {"truth": "3/4"})
    noise = Gaussian(Fraction(1))
    for mixed in ([noise, poisson], [noise, fixed], [answer, noise]):
        with pytest.raises(
            InputError, match=r"adjacency: missing; .*add-or-remove-one, add-one, remove-one, replace-one"
        ):
            plan(mixed)
    with pytest.raises(InputError, match="sampler: missing"):
        release_of("dp-sgd", RUN)
    assert plan([poisson]).adjacency == "add-or-remove-one"
    assert plan([fixed, answer]).adjacency == plan([noise, fixed], adjacency="replace-one").adjacency == "replace-one"
    assert plan([noise, Laplace(Fraction(1))]).adjacency not in ("add-or-remove-one", "replace-one")


def test_a_plan_of_no_release_is_refused():
    with pytest.raises(InputError, match="releases"):
        plan([])


def test_every_kind_counts():
    assert all("count" in kind.__annotations__ or kind is DpSgd for kind in KINDS.values())
