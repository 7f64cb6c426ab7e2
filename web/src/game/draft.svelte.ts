// Position editor: the server validates the position after each change.

import { positionView } from "../api/http";
import { ends, type Point } from "../board/geometry";
import { untilStale } from "../stale";
import { sideToMove, squaresOf, writeFen, type Squares } from "./fen";

export class Draft {
  /** Null while the editor is closed. */
  fen: string | null = $state(null);
  /** Why the position is invalid. */
  error: string | null = $state(null);
  /** A piece letter, `hand` or `eraser`. */
  tool: string = $state("hand");

  /** Validates changes for the lifetime of the component. */
  follow() {
    $effect(() => {
      if (this.fen === null) return;
      return untilStale(
        positionView({ start: this.fen, moves: [] }),
        () => (this.error = null),
        (error) => (this.error = error.message),
      );
    });
  }

  /** Opens the editor with a position; its move counters are reset. */
  begin(fen: string) {
    this.fen = writeFen(squaresOf(fen), sideToMove(fen));
  }

  #change(change: (squares: Squares) => void) {
    if (this.fen === null) return;
    const squares = squaresOf(this.fen);
    change(squares);
    this.fen = writeFen(squares, sideToMove(this.fen));
  }

  /** Applies the tool to a point. */
  point(point: Point) {
    const tool = this.tool;
    this.#change((squares) => {
      if (tool === "eraser") squares[point] = null;
      else if (tool !== "hand") squares[point] = squares[point] === tool ? null : tool;
    });
  }

  move(move: string) {
    const [from, to] = ends(move);
    this.#change((squares) => {
      squares[to] = squares[from] ?? null;
      squares[from] = null;
    });
  }

  remove(point: Point) {
    this.#change((squares) => (squares[point] = null));
  }
}
