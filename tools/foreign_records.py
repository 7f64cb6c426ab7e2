"""Writes games as other programs do, from the descriptions in docs/formats.md alone.

For formats that Chuhe only reads: a second implementation, so that a slip in one of them shows. Every writer
gets the moves of a line in coordinates (h2e2) and gives back the bytes of a file.
"""

import struct
import zlib


def points(moves):
    """File and rank from Red's side of where each move starts and ends."""
    return [("abcdefghi".index(mv[0]), int(mv[1]), "abcdefghi".index(mv[2]), int(mv[3])) for mv in moves]


def turned(point, is_turned):
    """File from the left and rank from the top, as the player at the bottom sees them."""
    file, rank = point
    return (8 - file, rank) if is_turned else (file, 9 - rank)


def ccm(moves, is_turned=False):
    """17pk."""
    records = b""
    for ply, (a, b, c, d) in enumerate(points(moves)):
        records += bytes([15, 1 + ply % 2, 6, *turned((a, b), is_turned), *turned((c, d), is_turned), 0, 0])
    return b"\x01\0\x12\0" + struct.pack("<II", 1482721899, len(moves)) + records


def che(moves, is_turned=False):
    """QQ."""
    numbers = [1, len(moves)]
    for ply, (a, b, c, d) in enumerate(points(moves)):
        (from_file, from_rank), (to_file, to_rank) = turned((a, b), is_turned), turned((c, d), is_turned)
        numbers += [10, 32, ply % 2, from_rank, from_file, to_rank, to_file, 0, ply + 1, 0]
    return " ".join(map(str, numbers)).encode()


def mxq(moves):
    """MoveSky."""
    head = ["聚义堂", "2016年12月27日 21点14分", "甲-负-乙", "1500", "1348", "25", "3", "60", "1286", "1291", "认负"]
    words = [f"{a}{'ABCDEFGHIJ'[b]}-{c}{'ABCDEFGHIJ'[d]}" for a, b, c, d in points(moves)]
    texts = [text.encode("gbk") for text in [*head, "Moves", *words, "Ends", "CommentsEnd"]]
    return b"".join(bytes([len(text)]) + text for text in texts)


def ourgame(moves):
    """Ourgame, with `GL` at the start."""
    files = bytearray(472)
    files[:8] = b"GL\xd0\x07\xd4\x07\x01\x00"
    files[8:33] = b"Tue Dec 27 20:57:56 2016\n"
    for at, text in [(36, "甲 - 乙"), (120, "甲"), (160, "乙")]:
        encoded = text.encode("gbk")
        files[at:at + len(encoded)] = encoded
    codes = {"r": 1, "n": 2, "c": 3, "k": 4, "a": 5, "b": 6, "p": 7}
    ranks = ["rnbakabnr", "9", "1c5c1", "p1p1p1p1p", "9", "9", "P1P1P1P1P", "1C5C1", "9", "RNBAKABNR"]
    for down, rank in enumerate(ranks):
        file = 0
        for letter in rank:
            if letter.isdigit():
                file += int(letter)
                continue
            files[180 + file * 10 + down] = 0x10 | codes[letter.lower()] + (8 if letter.islower() else 0)
            file += 1
    files[364:368] = struct.pack("<I", len(moves))
    nodes = bytes(36)
    for a, b, c, d in points(moves):
        nodes += bytes(14) + bytes([(9 - b) << 4 | a, (9 - d) << 4 | c]) + bytes(20)
    return bytes(files) + nodes


def old_library(lines, version=3):
    """CCBridge before version 2: a library with one game for each line."""
    def text(words):
        encoded = words.encode("gbk")
        return struct.pack("<I", len(encoded)) + encoded

    def record(number, moves):
        body = b""
        for back, cannon, soldier in [(0xA, 0x8, 0x7), (0x1, 0x3, 0x4)]:
            body += bytes(file << 4 | back for file in range(1, 10))
            body += bytes([0x20 | cannon, 0x80 | cannon])
            body += bytes(file << 4 | soldier for file in (1, 3, 5, 7, 9))
        body += struct.pack("<III", 1, 0, 1)
        body += b"".join(map(text, [f"第{number}局", "", "", "", "", "甲", "乙"])) + struct.pack("<I", 0)
        body += b"".join(map(text, ["", "", "", "", ""])) + b"\x01" + b"2005-1-12 15:28:18 " * 2
        body += struct.pack("<I", len(moves))
        for ply, (a, b, c, d) in enumerate(points(moves), start=1):
            body += struct.pack("<HBBH", ply, a << 4 | 9 - b, c << 4 | 9 - d, 0)
        body += b"\r\n" * len(moves)
        return struct.pack("<I", len(body) + 4) + body

    stream = b"".join(map(text, ["棋谱", "", "", "cam", ""])) + b"2005-1-12 15:27:41 " * 2
    stream += struct.pack("<II", len(lines), 0)
    stream += b"".join(record(number, moves) for number, moves in enumerate(lines, start=1))
    return b"CCBridge\x15\0\0\0" + struct.pack("<II", version, len(stream)) + zlib.compress(stream)


def playok(moves_in_wxf):
    """PlayOK: WXF with Black in lower case and `.` for `=`."""
    words = [move.replace("=", ".") for move in moves_in_wxf]
    words = [word.lower() if ply % 2 else word for ply, word in enumerate(words)]
    rounds = [f"{ply // 2 + 1}. {' '.join(words[ply:ply + 2])}" for ply in range(0, len(words), 2)]
    head = "FORMAT  WXF\nRED     one ; 1200 ;;\nBLACK   two ; 1240 ;;\nRESULT  *\nDATE    2020-02-02\nSTART{\n"
    return (head + "\n".join(rounds) + " }END\n").encode()
