"""The claims of our papers that no switch of the search shows: their measurements, and the rows that state them.

tools/papers runs the measurements and writes the rows.
"""

import datetime
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from measuring import CORES, ROOT, busy_cores, commit, is_busy, machine, printed, run

WORK = ROOT / "target/papers"
FAIRY_STOCKFISH = "/usr/games/fairy-stockfish"
BENCHMARKS = ROOT / "docs/benchmarks.json"


class Missing(Exception):
    """What a measurement needs and does not find here."""


def need(is_there: object, what: str) -> None:
    if not is_there:
        raise Missing(what)


def perft() -> dict:
    """Million nodes a second of CPU time of each way to count, in the same run."""
    need(shutil.which("cargo"), "cargo")
    need(os.path.exists(FAIRY_STOCKFISH), "Debian's package fairy-stockfish")
    text = printed("cargo", "bench", "--quiet", "--package", "chuhe-board", "--bench", "perft")
    ways = re.findall(r"^(\S.*?) +([\d.]+) +[\d.]+ times the first$", text, re.MULTILINE)
    return {"million_nodes_per_second": {way: float(speed) for way, speed in ways}, "command": "make bench-perft"}


ANY_TECHNIQUE = "piece-to-history"  # `ablate` switches at least one; only its baseline is read.


def baseline(*more) -> tuple[dict, str]:
    """The report of an ablation of the bench positions of which only the baseline counts, and its command."""
    words = ["train", "ablate", *more, "--only", ANY_TECHNIQUE]
    return json.loads(run(*words, "--json")), " ".join(["chuhe", *map(str, words)])


MILLISECONDS, DEPTH = 200, 11


def depth() -> dict:
    report, command = baseline("--depth", 1, "--time", MILLISECONDS)
    return {"depth": report["baseline"]["depth_at_effort"], "milliseconds": MILLISECONDS, "command": command}


def minimal_trees() -> dict:
    report, command = baseline("--depth", DEPTH, "--nodes", 1)
    searched = report["baseline"]["nodes"]
    return {
        "depth": DEPTH, "positions": report["positions"], "minimal_trees": report["minimal_tree"], "searched": searched,
        "command": command,
    }


MATCH = "tools/benchmarks --games 200 --movetime 200 fairy-stockfish"
ENOUGH_GAMES = 100


def fairy_stockfish() -> dict:
    """The match that tools/benchmarks plays, or has played."""

    def known() -> tuple[dict, list[int]]:
        row = json.loads(BENCHMARKS.read_text(encoding="utf-8")).get("fairy-stockfish", {})
        result = re.match(r"\+(\d+) =(\d+) −(\d+)", row.get("figure", "")) if "--movetime 200 " in row.get("command", "") else None
        return row, [int(number) for number in result.groups()] if result else []

    if sum(known()[1]) < ENOUGH_GAMES:
        need(os.path.exists(FAIRY_STOCKFISH), "Debian's package fairy-stockfish")
        subprocess.run(MATCH.split(), cwd=ROOT, check=True)
    row, (wins, draws, losses) = known()
    conditions = {key: row[key] for key in ("command", "date", "commit", "machine", "cores", "load")}
    return {"wins": wins, "draws": draws, "losses": losses, **conditions}


def cut(book: pathlib.Path) -> dict:
    """The share of a book's nodes that is cut for both sides, with one to four moves a position."""
    stats = json.loads(run("book", "stats", book, "--json"))
    cuts = [json.loads(run("book", "prune", book, "--keep", keep, "--json")) for keep in (1, 2, 3, 4)]
    return {"positions": stats["positions"], "nodes": cuts[0]["before"], "shares": [cut["share"] for cut in cuts]}


EXPANSION = ["--positions", 350000, "--nodes", 300, "--round", 20000]


def wide_book() -> dict:
    """Expanded in target/papers, and goes on from there."""
    run("book", "expand", WORK / "wide.book", *EXPANSION, "--threads", CORES, "--json")
    words = " ".join(map(str, EXPANSION))
    command = f"chuhe book expand wide.book {words} && chuhe book prune wide.book --keep 1"
    return cut(WORK / "wide.book") | {"command": command}


def book_of_games() -> dict:
    need(os.environ.get("GAMES"), "a list of games, which is not part of the repository: GAMES=master-games.txt")
    with tempfile.TemporaryDirectory() as folder:
        book = pathlib.Path(folder, "games.book")
        built = json.loads(run("book", "build", pathlib.Path(os.environ["GAMES"]).resolve(), "--out", book, "--json"))
        return cut(book) | {"games": built["games"], "command": "make book-cuts LIST=master-games.txt"}


DELAYS = ["--delays", "0,0.1,1,5", "--depth", "18", "--positions", "24", "--rounds", "1"]


def cluster() -> dict:
    """Finished rows are kept in target/cluster-delays."""
    need(os.geteuid() == 0, "root, for network namespaces")
    need(shutil.which("ip"), "the program ip")
    need(shutil.which("mpirun") and shutil.which("mpicc"), "MPI: tools/install-mpi")
    need(shutil.which("cargo"), "cargo")
    printed("cargo", "build", "--release", "--package", "chuhe-mpi", "--features", "chuhe-mpi/mpi")
    figures = json.loads(printed("tools/bench-cluster", *DELAYS, "--json"))
    return figures | {"command": " ".join(["tools/bench-cluster", *DELAYS])}


OTHERS = {
    "perft": perft, "depth": depth, "minimal-trees": minimal_trees, "fairy-stockfish": fairy_stockfish, "cuts-wide": wide_book,
    "cuts-games": book_of_games, "cluster": cluster,
}
# Time decides these figures, so they want a machine that does nothing else.
TIMED = {"other perft", "other depth", "other fairy-stockfish", "other cluster"}


def need_quiet(measurement: str) -> None:
    if measurement in TIMED and is_busy(load := busy_cores()):
        raise Missing(f"a quiet machine ({load:.1f} cores are busy); name it to measure it all the same")


def measure(name: str) -> dict:
    """The figures, and what they were measured on."""
    conditions = {
        "date": datetime.date.today().isoformat(), "commit": commit(), "machine": machine(), "cores": CORES,
        "load": round(busy_cores(), 1),
    }
    return conditions | OTHERS[name]()


def spaced(number: float) -> str:
    return f"{number:,.0f}".replace(",", " ")


def conditions(row: dict) -> str:
    return f"{row['date']}, {row['machine']}{', busy' if is_busy(row['load'], row['cores']) else ''}"


TABLES = "row-and-column tables, moves tried"


def times(row: dict, way: str, other: str) -> str:
    """How many times as fast one way to count is as another."""
    speeds = row["million_nodes_per_second"]
    return f"{speeds[way] / speeds[other]:.0f} times"


def check_test(row: dict) -> str:
    ours = "ours, last ply counted"
    peer, tables = times(row, ours, "fairy-stockfish, go perft"), times(row, ours, TABLES)
    return (
        f"one look each for lines, horses and soldiers; perft {peer} as fast as Fairy-Stockfish's and {tables} as fast as "
        f"row-and-column tables (CPU time; {conditions(row)})"
    )


def rows_and_columns(row: dict) -> str:
    scanning = "plain scanning, moves tried"
    speeds, faster = row["million_nodes_per_second"], times(row, TABLES, scanning)
    return f"{speeds[TABLES]:.1f} against {speeds[scanning]:.2f} million nodes a second of CPU time: {faster} ({conditions(row)})"


def depth_reached(row: dict) -> str:
    return f"today's engine reaches depth {row['depth']:.1f} in {row['milliseconds']} ms ({conditions(row)})"


def trees(row: dict) -> str:
    return (
        f"to depth {row['depth']} the minimal trees of the {row['positions']} bench positions have "
        f"{row['minimal_trees'] / 1e9:.1f} billion nodes; {spaced(row['searched'])} are searched"
    )


def match_score(row: dict) -> str:
    games = row["wins"] + row["draws"] + row["losses"]
    score = 100 * (row["wins"] + row["draws"] / 2) / games
    result = f"+{row['wins']} ={row['draws']} −{row['losses']}"
    return (
        "not measured: ElephantEye is not in Debian. Against Fairy-Stockfish's hand-written evaluation "
        f"{score:.1f} % at 200 ms a move, {result} ({conditions(row)})"
    )


def share_of_wide_book(row: dict) -> str:
    moves = row["nodes"] / row["positions"]
    return f"{row['shares'][0]:.2f} % of {spaced(row['nodes'])} (both sides) in an expanded book with {moves:.1f} moves a position"


def share_of_games(row: dict) -> str:
    moves = row["nodes"] / row["positions"]
    book = f"a book of {spaced(row['games'])} games, which has {moves:.2f}"
    return f"{row['shares'][0]:.2f} % of {spaced(row['nodes'])} (both sides) in {book}"


SHAPES = ["ring", "star", "tree"]


def topologies(row: dict) -> str:
    delays = row["delays"]

    def speed_up(topology: str) -> str:
        logs = [math.log(delay["rows"][topology]["speed_up"]) for delay in delays]
        return f"{topology} × {math.exp(sum(logs) / len(logs)):.2f}"

    def stop(delay: dict) -> str:
        waits = [delay["rows"][topology]["stop_ms"] for topology in SHAPES]
        return f"{min(waits):.0f} to {max(waits):.0f} ms at {delay['delay_ms']:g} ms"

    kills = sum(death["kills"] for delay in delays for death in delay["deaths"].values())
    return (
        f"{row['ranks']} ranks in namespaces with {delays[0]['delay_ms']:g} to {delays[-1]['delay_ms']:g} ms between them: "
        f"{', '.join(map(speed_up, SHAPES))} by the CPU time of the busiest rank, in the mean of {len(delays)} delays; from `stop` to the "
        f"move {stop(delays[0])}, {stop(delays[-1])}; of {kills} searches in which a rank was killed every one gave its move "
        f"({conditions(row)})"
    )


ABLATION = "[experiments](../experiments/search.md#ablation)"
PERFT = "`make bench-perft` ([board.md](../board.md#how-fast-it-is))"
# The table of each page: claim, measurement, figure, and the command as a reader would type it.
ROWS = {
    "shark": [
        ("check test: about 40 looks in a plain board, 12 with bitboards, 4 backwards (table 10)", "perft", check_test, PERFT),
        (
            "Shark reaches 14 plies in the middle game where ElephantEye reaches 11 (30 minutes a game)", "depth", depth_reached,
            f"`{{command}}` ({ABLATION})",
        ),
        ("80 % against ElephantEye", "fairy-stockfish", match_score, "`{command}` ([benchmarks](../benchmarks.md))"),
    ],
    "deep-elephant": [
        (
            "99.46 % of a book of 8 806 323 nodes cut with one move a position", "cuts-wide", share_of_wide_book,
            "`{command}` ([experiments, ply by ply](../experiments/book.md#pruning))",
        ),
        (
            "the same in a book of games", "cuts-games", share_of_games,
            "`{command}`; `GAMES=master-games.txt tools/papers cuts-games` writes this row, the list is not part of the repository",
        ),
        (
            "ring, star and tree exploit a PC cluster", "cluster", topologies,
            "`{command}`, as root ([experiments](../experiments/cluster.md#four-ranks-with-delays-between-them))",
        ),
    ],
    "neuchess": [
        ("tables for rows and columns are orders of magnitude faster than scanning (§4.3)", "perft", rows_and_columns, PERFT),
        (
            "exhaustive search reaches depth 3.6 in a second at a million nodes a second (table 6.1)", "depth", depth_reached,
            "`{command}`",
        ),
        ("the minimal tree is 4.4 % of the whole for the last two plies", "minimal-trees", trees, f"`{{command}}` ({ABLATION})"),
    ],
}


def table(results: dict, page: str, written: str) -> str:
    """The rows of a page. One that has not been measured here stays as it is written."""
    lines = ["| other claim | our figure | command |", "|---|---|---|"]
    for claim, name, figure, command in ROWS[page]:
        row = results.get(f"other {name}")
        if row:
            lines.append(f"| {claim} | {figure(row)} | {command.format(command=row['command'])} |")
            continue
        kept = [line for line in written.splitlines() if line.startswith(f"| {claim} |")]
        lines += kept or [f"| {claim} | not measured yet | `tools/papers {name}` |"]
    return "\n".join(lines)
