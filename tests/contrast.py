"""How well the text of a page stands out: contrast as WCAG 2 measures it, in the page itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEAST = 4.5
"""What text of usual size needs (WCAG 2.2, criterion 1.4.3)."""

_MEASURE = """() => {
  const parts = (text) => {
    const numbers = (text.match(/[-+.\\d]+(e-?\\d+)?/g) ?? []).map(Number);
    const scale = text.startsWith('color(') ? 1 : 255;
    const [r, g, b, alpha = 1] = numbers;
    return { rgb: [r, g, b].map((part) => part / scale), alpha };
  };
  const over = (top, below) => top.rgb.map((part, k) => part * top.alpha + below[k] * (1 - top.alpha));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((p) => (p <= 0.04045 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    if (!element) return [1, 1, 1];
    const below = ground(element.parentElement);
    const colour = parts(getComputedStyle(element).backgroundColor);
    return colour.alpha ? over(colour, below) : below;
  };
  const isFaint = (element) => element && (getComputedStyle(element).opacity === '0' || isFaint(element.parentElement));
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || ['SCRIPT', 'STYLE', 'NOSCRIPT', 'OPTION', 'TITLE', 'title'].includes(element.tagName)) continue;
    if (!element.checkVisibility({ visibilityProperty: true }) || isFaint(element)) continue;
    if (element.closest(':disabled, .away, .skip')) continue;
    const style = getComputedStyle(element);
    const isSVG = element instanceof SVGElement;
    const box = isSVG && element.parentElement.querySelector(':scope > rect');
    let below = ground(isSVG ? element.closest('svg') : element);
    if (box) below = over(parts(getComputedStyle(box).fill), below);
    const above = over(parts(isSVG ? style.fill : style.color), below);
    const [a, b] = [light(above), light(below)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found.push({ text: text.slice(0, 60), ratio: Math.round(ratio * 100) / 100, where: element.className.baseVal ?? element.className });
  }
  return found;
}"""


def contrasts(page: Page) -> list[dict[str, Any]]:
    """Return every text that can be seen, with the contrast to what is behind it."""
    found: list[dict[str, Any]] = page.evaluate(_MEASURE)
    return found


def check_contrast(page: Page) -> None:
    """Fail if a text stands out too little, unless it belongs to something that is switched off."""
    found = contrasts(page)
    assert len(found) > 5
    faint = [text for text in found if text["ratio"] < LEAST]
    assert not faint, faint
