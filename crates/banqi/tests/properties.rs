//! Laws on random games.

use chuhe_banqi::deal::deal;
use chuhe_banqi::plain::PlainBoard;
use chuhe_banqi::random::Random;
use chuhe_banqi::{Cell, FULL_SET, Game, Piece, Played, Position, Rules, Square, perft};
use proptest::prelude::*;

/// Plays a random game and shows every position of it.
fn walk(seed: u64, mut visit: impl FnMut(&Game)) {
    let hidden = deal(seed);
    let mut random = Random::new(!seed);
    let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
    visit(&game);
    while game.end().is_none() && game.played().len() < 400 {
        let moves = game.moves();
        let mv = moves[random.below(moves.len())];
        game.play_choice(mv, &hidden).unwrap();
        visit(&game);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_fast_moves_are_the_plain_ones(seed in any::<u64>()) {
        walk(seed, |game| {
            let place = |square: Square| (square.column(), square.row());
            let mut fast: Vec<_> =
                game.position().moves(game.captures()).iter().map(|mv| (place(mv.from()), place(mv.to()))).collect();
            let mut plain = PlainBoard::from(game.position()).moves();
            fast.sort_unstable();
            plain.sort_unstable();
            assert_eq!(fast, plain, "{}", game.position());
            assert_eq!(game.position().can_move(game.captures()), !plain.is_empty());
        });
    }

    #[test]
    fn legality_agrees_with_generation(seed in any::<u64>()) {
        walk(seed, |game| {
            let moves = game.position().moves(game.captures());
            for from in Square::all() {
                for to in Square::all() {
                    let mv = chuhe_banqi::Move::new(from, to);
                    assert_eq!(game.position().is_legal(game.captures(), mv), moves.contains(&mv));
                }
            }
        });
    }

    #[test]
    fn keys_counts_and_text_survive_every_move(seed in any::<u64>()) {
        walk(seed, |game| {
            let position = game.position();
            assert!(position.is_consistent(), "{position}");
            assert_eq!(&position.to_string().parse::<Position>().unwrap(), position);
            let mut shown = [0u8; Piece::COUNT];
            for square in Square::all() {
                if let Cell::Shown(piece) = position.cell(square) {
                    shown[piece.index()] += 1;
                    assert!(position.squares_of(piece).has(square));
                }
            }
            for piece in Piece::all() {
                let index = piece.index();
                assert_eq!(position.alive()[index], shown[index] + position.pool()[index]);
                assert!(position.alive()[index] <= FULL_SET[index]);
            }
        });
    }

    #[test]
    fn refused_plies_leave_the_game_alone(seed in any::<u64>(), from in 0u8..32, to in 0u8..32, letter in 0usize..14) {
        walk(seed, |game| {
            let square = |index: u8| Square::at(index % 8, index / 8).unwrap();
            let piece = Piece::all().nth(letter).unwrap();
            let ply = if from == to { Played::Flip(square(from), piece) } else { Played::Step(square(from), square(to)) };
            let mut tried = game.clone();
            if tried.play(ply).is_err() {
                assert_eq!(tried.position(), game.position());
                assert_eq!(tried.played(), game.played());
                assert_eq!(tried.end(), game.end());
            }
        });
    }
}

#[test]
fn perft_of_the_start_counts_every_piece_that_may_show() {
    let captures = *Game::new(Position::start(), Rules::OLYMPIAD).captures();
    let start = Position::start();
    assert_eq!(perft::count(&start, &captures, 1), 32 * 14);
    // A second flip: 31 squares, and 13 or 14 kinds, since both generals are single. Nothing can move
    // between face-down pieces, but what lies two squares from a fresh cannon is not yet turned over.
    let general = 31 * 13;
    let other = 31 * 14;
    assert_eq!(perft::count(&start, &captures, 2), 32 * (2 * general + 12 * other));
}

#[test]
fn the_plain_rules_count_the_same_lines() {
    fn plain(position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let square = |(column, row)| Square::at(column, row).unwrap();
        let mut lines = 0;
        for (from, to) in PlainBoard::from(position).moves() {
            if from != to {
                let mut next = position.clone();
                next.play_step(chuhe_banqi::Move::new(square(from), square(to)));
                lines += plain(&next, depth - 1);
                continue;
            }
            for shown in Piece::all().filter(|shown| position.pool()[shown.index()] > 0) {
                let mut next = position.clone();
                next.play_flip(square(from), shown);
                lines += plain(&next, depth - 1);
            }
        }
        lines
    }
    let captures = *Game::new(Position::start(), Rules::OLYMPIAD).captures();
    for text in ["K2c1p2/1?Pg3C/2N2m2/?r4Pk r Cp 0", "CpPk4/1c1R4/8/3n2M1 b - 0"] {
        let position: Position = text.parse().unwrap();
        assert_eq!(perft::count(&position, &captures, 3), plain(&position, 3), "{text}");
    }
}
