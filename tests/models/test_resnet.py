"""The head that pairs squares, and what its network is when written down."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from okapi.models.express import express, rebuilt  # noqa: E402
from okapi.models.layers import FromTo  # noqa: E402
from okapi.models.resnet import from_to  # noqa: E402
from okapi.models.singh2015 import as_coded, chessnet_1, chessnet_2  # noqa: E402


def test_a_logit_pairs_the_square_that_is_left_with_the_one_that_is_reached() -> None:
    torch.manual_seed(1)
    head = FromTo(channels=3, width=5)
    x = torch.randn(2, 3, 8, 8)

    logits = head(x)

    origin, target = 12, 28
    asked = head.query.weight[:, :, 0, 0] @ x[1, :, origin // 8, origin % 8] + head.query.bias
    answered = head.key.weight[:, :, 0, 0] @ x[1, :, target // 8, target % 8] + head.key.bias
    assert logits.shape == (2, 4096)
    assert logits[1, 64 * origin + target].item() == pytest.approx((asked @ answered).item() / 5**0.5, abs=1e-5)


@pytest.mark.parametrize(
    "model",
    [
        from_to(planes=3, channels=8, blocks=2, squeeze=4, width=6),
        chessnet_1(3, (4, 5, 6), 7),
        chessnet_2(3, (4, 5, 6), 7),
        as_coded(3, (4, 5, 6)),
    ],
    ids=["from-to", "chessnet-1", "chessnet-2", "as coded"],
)
def test_written_down_it_answers_the_same(model: torch.nn.Sequential) -> None:
    torch.manual_seed(2)
    model.train()
    model(torch.randn(16, 3, 8, 8))  # moves the means of batch normalisation
    model.eval()
    x = torch.randn(4, 3, 8, 8)

    with torch.no_grad():
        np.testing.assert_allclose(rebuilt(express(model))(x), model(x), atol=1e-5)


def test_chessnet_2_stays_between_minus_one_and_one() -> None:
    assert chessnet_2(6, (4, 4, 4), 8)(1000 * torch.randn(9, 6, 8, 8)).abs().max() <= 1
