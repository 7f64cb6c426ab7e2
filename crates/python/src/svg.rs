//! A board as SVG, for notebooks.

use std::fmt::Write;

use chuhe_board::{Move, Position, Side, Square};
use chuhe_notation::chinese::{Script, piece_name};

/// Units between two points.
const STEP: i32 = 50;
/// Units around the outermost points, with room for the coordinates.
const MARGIN: i32 = 45;
const WIDTH: i32 = 8 * STEP + 2 * MARGIN;
const HEIGHT: i32 = 9 * STEP + 2 * MARGIN;

/// What is drawn around the pieces.
pub(crate) struct Picture {
    /// Whose bank is at the bottom.
    pub(crate) orientation: Side,
    /// The move that is shown by marks on its points.
    pub(crate) last_move: Option<Move>,
    /// Moves that are shown as arrows.
    pub(crate) arrows: Vec<Move>,
    /// The width in pixels.
    pub(crate) size: u64,
}

impl Picture {
    fn at(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
        let (column, row) = match self.orientation {
            Side::Red => (file, 9 - rank),
            Side::Black => (8 - file, rank),
        };
        (MARGIN + column * STEP, MARGIN + row * STEP)
    }

    /// The picture of a position.
    pub(crate) fn drawn(&self, position: &Position) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{}\" height=\"{}\" \
             font-family=\"'Noto Serif CJK TC', 'Songti TC', PMingLiU, serif\" text-anchor=\"middle\">",
            self.size,
            self.size * HEIGHT as u64 / WIDTH as u64,
        );
        let _ = write!(
            svg,
            "<title>{position}</title><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f3dcae\"/>"
        );
        self.draw_lines(&mut svg);
        for square in self.last_move.iter().flat_map(|mv| [mv.from(), mv.to()]) {
            let (x, y) = self.at(square);
            let _ = write!(
                svg,
                "<rect class=\"last\" x=\"{}\" y=\"{}\" width=\"46\" height=\"46\" rx=\"6\" fill=\"#7fb069\" \
                 fill-opacity=\"0.6\"/>",
                x - 23,
                y - 23
            );
        }
        for (piece, square) in position.pieces_on_board() {
            let (x, y) = self.at(square);
            let colour = if piece.side() == Side::Red { "#b3261e" } else { "#1c1b1f" };
            let _ = write!(
                svg,
                "<g><circle cx=\"{x}\" cy=\"{y}\" r=\"22\" fill=\"#fff6e0\" stroke=\"{colour}\" stroke-width=\"2\"/>\
                 <text x=\"{x}\" y=\"{}\" font-size=\"29\" fill=\"{colour}\">{}</text></g>",
                y + 10,
                piece_name(piece, Script::Traditional)
            );
        }
        for mv in &self.arrows {
            self.draw_arrow(&mut svg, *mv);
        }
        svg.push_str("</svg>");
        svg
    }

    fn draw_lines(&self, svg: &mut String) {
        let mut path = String::new();
        let (right, bottom) = (MARGIN + 8 * STEP, MARGIN + 9 * STEP);
        for row in 0..10 {
            let y = MARGIN + row * STEP;
            let _ = write!(path, "M{MARGIN} {y}H{right}");
        }
        let (upper, lower) = (MARGIN + 4 * STEP, MARGIN + 5 * STEP);
        for column in 0..9 {
            let x = MARGIN + column * STEP;
            let _ = match column {
                0 | 8 => write!(path, "M{x} {MARGIN}V{bottom}"),
                _ => write!(path, "M{x} {MARGIN}V{upper}M{x} {lower}V{bottom}"),
            };
        }
        for top in [MARGIN, MARGIN + 7 * STEP] {
            let (left, right, bottom) = (MARGIN + 3 * STEP, MARGIN + 5 * STEP, top + 2 * STEP);
            let _ = write!(path, "M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}");
        }
        let _ = write!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"#6b4f2a\" stroke-width=\"1.5\"/>");
        let middle = MARGIN + 4 * STEP + STEP / 2 + 9;
        let _ = write!(
            svg,
            "<g font-size=\"26\" fill=\"#6b4f2a\"><text x=\"{}\" y=\"{middle}\">楚河</text>\
             <text x=\"{}\" y=\"{middle}\">漢界</text></g><g font-size=\"13\" fill=\"#6b4f2a\">",
            MARGIN + 2 * STEP,
            MARGIN + 6 * STEP
        );
        for square in Square::all().filter(|square| square.rank() == 0) {
            let (x, _) = self.at(square);
            let _ =
                write!(svg, "<text x=\"{x}\" y=\"{}\">{}</text>", HEIGHT - 5, (b'a' + square.file()) as char);
        }
        for square in Square::all().filter(|square| square.file() == 0) {
            let (_, y) = self.at(square);
            let _ = write!(svg, "<text x=\"10\" y=\"{}\">{}</text>", y + 4, square.rank());
        }
        svg.push_str("</g>");
    }

    fn draw_arrow(&self, svg: &mut String, mv: Move) {
        let ((x, y), (to_x, to_y)) = (self.at(mv.from()), self.at(mv.to()));
        let (along, up) = (f64::from(to_x - x), f64::from(to_y - y));
        let length = along.hypot(up);
        let (along, up) = (along / length, up / length);
        let (tip_x, tip_y) = (f64::from(to_x) - 8.0 * along, f64::from(to_y) - 8.0 * up);
        let (base_x, base_y) = (tip_x - 18.0 * along, tip_y - 18.0 * up);
        let _ = write!(
            svg,
            "<g class=\"arrow\" stroke=\"#15678c\" fill=\"#15678c\" opacity=\"0.8\"><path stroke-width=\"7\" \
             d=\"M{x} {y}L{base_x:.1} {base_y:.1}\"/><path stroke=\"none\" d=\"M{tip_x:.1} {tip_y:.1}L{:.1} {:.1}L{:.1} \
             {:.1}Z\"/></g>",
            base_x - 10.0 * up,
            base_y + 10.0 * along,
            base_x + 10.0 * up,
            base_y - 10.0 * along,
        );
    }
}
