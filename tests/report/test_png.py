from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from PIL import Image

import bayesloom as bl
from bayesloom.errors import FileFormatError, MissingExtraError, OptionError
from bayesloom.report.bars import Bar, bar_picture
from bayesloom.report.chart import Curve, line_chart
from bayesloom.report.png import png_bytes
from bayesloom.report.svg_shapes import Outline, Words, shapes


def pixels(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


def count(image: Image.Image, colour: tuple[int, int, int], near: int = 40) -> int:
    found = image.getcolors(1 << 24)
    assert found is not None
    return sum(
        n
        for n, rgb in found
        if isinstance(rgb, tuple)
        and all(abs(a - b) < near for a, b in zip(rgb, colour, strict=True))
    )


def test_a_png_file_has_the_size_of_the_picture_times_the_scale(tmp_path: Path) -> None:
    net = bl.example("asia")
    picture = net.plot(tmp_path / "a.png", scale=1.5)
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (round(1.5 * picture.width), round(1.5 * picture.height))
        assert image.format == "PNG"


def test_boxes_lines_and_texts_are_drawn_where_the_svg_has_them() -> None:
    picture = bl.network("rain -> wet").plot()
    found = list(shapes(str(picture)))
    words = {word.text: word for word in found if isinstance(word, Words)}
    assert {"rain", "wet"} <= set(words)
    image = pixels(picture.to_png(1.0))
    frame = next(
        shape for shape in found if isinstance(shape, Outline) and shape.stroke == "#3d5a80"
    )
    left, top = min(x for x, _ in frame.points), min(y for _, y in frame.points)
    inside = image.getpixel((int(left) + 5, int(top) + 5))
    assert inside == (0xF4, 0xF7, 0xFB)
    assert image.getpixel((1, 1)) == (255, 255, 255)
    assert count(image, (0x3D, 0x5A, 0x80)) > 100
    x, y = words["rain"].at
    box = image.crop((int(x) - 12, int(y) - 10, int(x) + 12, int(y)))
    assert count(box, (0x1B, 0x2A, 0x3D), 90) > 10


def test_dashes_leave_gaps() -> None:
    dashed, whole = (
        pixels(
            png_bytes(
                f'<svg width="100" height="9"><line x1="0" x2="100" y1="4" y2="4" '
                f'stroke="#000000" stroke-width="3"{dash}/></svg>',
                100,
                9,
                1.0,
            )
        )
        for dash in (' stroke-dasharray="6 4"', "")
    )
    dark = [count(image, (0, 0, 0)) for image in (dashed, whole)]
    assert dark[0] == pytest.approx(0.6 * dark[1], rel=0.1)


def test_what_is_faded_is_lighter() -> None:
    net = bl.network("A -> B -> C -> D")
    frame = (0x3D, 0x5A, 0x80)
    assert count(pixels(net.plot(highlight="A").to_png(1.0)), frame, 20) < count(
        pixels(net.plot().to_png(1.0)), frame, 20
    )


@pytest.mark.parametrize(
    "text",
    [
        line_chart(
            [Curve("a", ((0, 1), (1, 2)), ((0, 2), (1, 3)))], title="t", x="x", y="y", level=1
        ),
        str(bar_picture([Bar("b", -1.0)], title="t", ends=("no", "yes"))),
    ],
)
def test_charts_can_be_drawn_as_pixels(text: str) -> None:
    image = pixels(png_bytes(text, 680, 420, 1.0))
    assert count(image, (255, 255, 255)) < image.width * image.height


def test_a_picture_that_would_be_too_large_says_what_to_do() -> None:
    picture = bl.example("alarm").plot()
    with pytest.raises(OptionError, match=r"more than 30,000; take a scale of at most"):
        picture.to_png(100.0)


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), "2"])
def test_a_scale_is_a_positive_number(scale: float) -> None:
    with pytest.raises(OptionError, match="scale must be a number above 0"):
        bl.network("A -> B").plot().to_png(scale)


def test_a_scale_is_for_png_only(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"a scale is for \.png"):
        bl.network("A -> B").plot(tmp_path / "a.svg", scale=2)
    assert not list(tmp_path.iterdir())


def test_without_pillow_one_sentence_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'bayesloom\[png\]'"):
        bl.network("A -> B").plot(tmp_path / "a.png")


def test_other_endings_are_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"written as \.svg or \.png, not '\.pdf'"):
        bl.network("A -> B").plot(tmp_path / "a.pdf")


def test_letters_of_any_script_do_not_stop_it() -> None:
    assert isinstance(bl.network([("ä", "日本")]).plot().to_png(), bytes)
