"""A plan as a picture."""
from __future__ import annotations

from html import escape
from typing import Iterable

WIDTH, HEIGHT, LEFT = 720, 360, 70
COLOURS = ("#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677", "#aa3377", "#bbbbbb")


def draw(rows: Iterable[tuple[str, int, int, list[tuple[int, int]]]], peak: int) -> str:
    """An SVG of rows (name, size, offset, segments): steps to the right, bytes upwards."""
    rows = list(rows)
    steps = max((upper for row in rows for _, upper in row[3]), default=1)
    x, y = (WIDTH - LEFT) / max(steps, 1), HEIGHT / max(peak, 1)
    parts = []
    for number, (name, size, offset, segments) in enumerate(rows):
        for lower, upper in segments:
            left, top, wide, high = LEFT + lower * x, HEIGHT - (offset + size) * y, (upper - lower) * x, size * y
            title = escape(f"{name}: bytes [{offset}, {offset + size}), steps [{lower}, {upper})")
            parts.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}" stroke="white" '
                         f'fill="{COLOURS[number % len(COLOURS)]}"><title>{title}</title></rect>')
            if high > 12 and wide > 7 * len(name):
                parts.append(f'<text x="{left + wide / 2:.1f}" y="{top + high / 2 + 4:.1f}" text-anchor="middle" '
                             f'fill="white">{escape(name)}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT + 24}" font-family="sans-serif" '
            f'font-size="12"><rect width="100%" height="100%" fill="white"/>{"".join(parts)}'
            f'<text x="4" y="14">{peak} B</text><text x="4" y="{HEIGHT}">0</text>'
            f'<text x="{LEFT}" y="{HEIGHT + 18}">step 0</text>'
            f'<text x="{WIDTH}" y="{HEIGHT + 18}" text-anchor="end">{steps}</text></svg>')
