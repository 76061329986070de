"""Explanations are exact: prior and contributions sum to the log-odds."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.classification import Classifier, train
from bayesloom.errors import OptionError, UnknownStateError, UnknownVariableError
from bayesloom.model import BayesNet
from strategies_model import bayes_nets
from uci import read_set


@given(bayes_nets(5), st.data())
@settings(max_examples=40)
def test_prior_and_contributions_sum_to_the_log_odds(net: BayesNet, data: st.DataObject) -> None:
    wide = [name for name in net.names if len(net.states_of(name)) > 1]
    if not wide:
        return
    classifier = Classifier(net, data.draw(st.sampled_from(wide)))
    row = {
        name: data.draw(st.sampled_from(net.states_of(name)))
        for name in classifier.names
        if data.draw(st.booleans())
    }
    found = classifier.explain(row)
    parts = [found.prior, *(part.log_odds for part in found.contributions)]
    if all(map(math.isfinite, parts)):
        assert sum(parts) == pytest.approx(found.log_odds, abs=1e-9)
        assert math.exp(found.log_odds) == pytest.approx(found.probability / found.other, rel=1e-6)
    if classifier.names:
        cells = {name: [row.get(name)] for name in classifier.names}
        assert found.probability == pytest.approx(classifier.probabilities(cells)[0].max())
    assert {part.name for part in found.contributions} == set(row)


def test_in_naive_bayes_a_contribution_is_the_quotient_of_the_attributes_probabilities() -> None:
    from bayesloom.classification import Training
    from bayesloom.classification.structure import StarStructure

    frame = read_set("vote")
    classifier = train(frame, "class", Training(StarStructure()))
    row = {name: cells[0] for name, cells in frame.items() if name != "class"}
    found = classifier.explain(row, "democrat", "republican")
    net = classifier.net
    for part in found.contributions:
        table = net.table(part.name)[:, net.state_index(part.name, part.state)]
        yes, no = (table[net.state_index("class", label)] for label in ("democrat", "republican"))
        assert part.log_odds == pytest.approx(math.log(yes / no), abs=1e-12)
    prior = net.table("class")
    assert found.prior == pytest.approx(math.log(prior[0] / prior[1]), abs=1e-12)


def test_an_explanation_is_told_as_text_as_data_and_as_bars() -> None:
    frame = {"class": ["n", "y"] * 10, "a<b": ["x", "y"] * 10, "dull": ["p", "p", "q", "q"] * 5}
    found = train(frame, "class").explain({"a<b": "y", "dull": "p"})
    assert (found.label, found.against) == ("y", "n")
    assert found.strongest()[0].name == "a<b"
    assert "a<b = y" in str(found)
    assert found.to_dict()["contributions"][0]["name"] == "a<b"
    picture = ET.fromstring(str(found.plot()))
    said = ["".join(text.itertext()) for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert "a<b = y" in said


def test_what_rules_a_class_out_is_infinite_and_still_drawn() -> None:
    net = BayesNet.from_tables(
        {
            "class": (["n", "y"], [], [0.5, 0.5]),
            "x": (["a", "b"], ["class"], [[1.0, 0.0], [0.5, 0.5]]),
        }
    )
    found = Classifier(net, "class").explain({"x": "b"})
    assert found.contributions[0].log_odds == math.inf
    assert "+inf" in str(found.plot())


def test_what_cannot_be_explained_is_refused() -> None:
    net = BayesNet.from_tables({"class": (["n", "y"], [], [0.5, 0.5])})
    classifier = Classifier(net, "class")
    with pytest.raises(UnknownVariableError, match="in the row"):
        classifier.explain({"x": "b"})
    with pytest.raises(UnknownStateError, match="maybe"):
        classifier.explain({}, "maybe")
    with pytest.raises(OptionError, match="two different classes"):
        classifier.explain({}, "n", "n")
    one = Classifier(BayesNet.from_tables({"class": (["n"], [], [1.0])}), "class")
    with pytest.raises(OptionError, match="two different classes"):
        one.explain({})
    np.testing.assert_allclose(classifier.explain({}).log_odds, 0.0)
