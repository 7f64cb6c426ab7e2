#!/usr/bin/env python3
"""Writes web/src/board/glyphs.ts: outlines of the characters on pieces and board.

Drawn as paths, they look the same on machines without Chinese fonts. The outlines are set in Noto
Serif CJK Bold (SIL Open Font License), Debian package fonts-noto-cjk. Needs the Python package
fonttools. Run it only when characters are added: its output is checked in.
"""

import pathlib

from fontTools.misc.transform import Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTCollection

FONTS = "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc"
CHARACTERS = {
    "Noto Serif CJK TC": "帥將仕士相象傌馬俥車炮砲兵卒楚河漢界一二三四五六七八九",
    "Noto Serif CJK SC": "帅将马车汉",
}
# Every character is centred in a square of this size.
SIZE = 100


def outline(font, character):
    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap()[ord(character)]]
    bounds = BoundsPen(glyphs)
    glyph.draw(bounds)
    left, bottom, right, top = bounds.bounds
    scale = SIZE / font["head"].unitsPerEm
    # The flip turns the font's upward y into the picture's downward y.
    centred = Transform(scale, 0, 0, -scale, -scale * (left + right) / 2, scale * (bottom + top) / 2)
    path = SVGPathPen(glyphs, ntos=lambda number: f"{round(number, 1):g}")
    glyph.draw(TransformPen(path, centred))
    return path.getCommands()


def main():
    fonts = {font["name"].getDebugName(1): font for font in TTCollection(FONTS).fonts}
    lines = [
        "// Outlines of characters, each centred on 0,0 in a square of 100. Written by tools/draw_glyphs.py",
        "// from Noto Serif CJK Bold (SIL Open Font License). Do not edit.",
        "",
        "export const GLYPHS: Record<string, string> = {",
    ]
    for family, characters in CHARACTERS.items():
        for character in characters:
            lines.append(f'  {character}: "{outline(fonts[family], character)}",')
    lines.append("};")
    target = pathlib.Path(__file__).parent.parent / "web/src/board/glyphs.ts"
    target.write_text("\n".join(lines) + "\n")


main()
