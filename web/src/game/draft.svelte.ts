// A position that is being set up by hand. The server looks at it after each change.

import { positionView } from "../api/http";
import { ends, type Point } from "../board/geometry";
import { sideToMove, squaresOf, writeFen, type Squares } from "./fen";

export class Draft {
  /** Nothing while no position is being set up. */
  fen: string | null = $state(null);
  /** What is wrong with the position. */
  error: string | null = $state(null);
  /** A piece's letter, or `hand`, or `eraser`. */
  tool: string = $state("hand");

  /** Follows the changes as long as the component lives. */
  follow() {
    $effect(() => {
      if (this.fen === null) return;
      let stale = false;
      positionView({ start: this.fen, moves: [] }).then(
        () => {
          if (!stale) this.error = null;
        },
        (error: Error) => {
          if (!stale) this.error = error.message;
        },
      );
      return () => (stale = true);
    });
  }

  /** Begins with a position, whatever its counters. */
  begin(fen: string) {
    this.fen = writeFen(squaresOf(fen), sideToMove(fen));
  }

  #change(change: (squares: Squares) => void) {
    if (this.fen === null) return;
    const squares = squaresOf(this.fen);
    change(squares);
    this.fen = writeFen(squares, sideToMove(this.fen));
  }

  /** A point was clicked. */
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
