//! Every format gives back what was written to it, and says what it could not hold.

use std::ops::ControlFlow;

use chuhe_board::coords::RankStyle;
use chuhe_board::{Outcome, Position};
use chuhe_notation::chinese::Script;
use chuhe_notation::pgn::MoveStyle;
use chuhe_notation::record::Game;
use chuhe_notation::{CannotHold, Format, Loss, Reading, RecordWriter, cbl, read_records, xqf};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::games::{self, EVERYTHING, Parts};

const STYLES: [MoveStyle; 5] = [
    MoveStyle::Coordinates,
    MoveStyle::Iccs,
    MoveStyle::Wxf,
    MoveStyle::Chinese(Script::Traditional),
    MoveStyle::Chinese(Script::Simplified),
];

fn written(game: &Game, format: Format, style: MoveStyle) -> Result<(Vec<u8>, Vec<Loss>), CannotHold> {
    let mut writer = RecordWriter::new(format, style, Vec::new());
    let losses = writer.add(game).unwrap()?;
    Ok((writer.finish("library").unwrap(), losses))
}

fn read(format: Format, bytes: &[u8]) -> Vec<Result<Game, String>> {
    let mut games = Vec::new();
    read_records(format, bytes, RankStyle::FromZero, |game| {
        games.push(game.map_err(|error| error.to_string()));
        ControlFlow::Continue(())
    });
    games
}

/// What is read back is the game exactly if nothing was said to be lost.
fn check(game: &Game, format: Format, style: MoveStyle) -> Result<Vec<Loss>, TestCaseError> {
    let (bytes, losses) = match written(game, format, style) {
        Ok(written) => written,
        Err(reason) => {
            prop_assert_ne!(game.start(), &Position::start(), "{}", reason);
            return Ok(Vec::new());
        }
    };
    let games = read(format, &bytes);
    prop_assert_eq!(games.len(), 1);
    match &games[0] {
        Ok(back) => prop_assert_eq!(
            back == game,
            losses.is_empty(),
            "{:?} lost {:?}:\n{:?}\n{:?}",
            format,
            losses,
            game,
            back
        ),
        Err(error) => prop_assert!(false, "{:?} {}: {:?}", format, error, game),
    }
    Ok(losses)
}

/// What is kept of a damaged file is a game like any other.
fn check_kept(games: &[Result<Game, String>]) -> Result<(), TestCaseError> {
    for game in games.iter().flatten() {
        let (bytes, _) = written(game, Format::Json, MoveStyle::Iccs).unwrap();
        let back = read(Format::Json, &bytes);
        prop_assert_eq!(back.len(), 1);
        prop_assert_eq!(back[0].as_ref(), Ok(game));
        prop_assert!(back[0].as_ref().is_ok_and(|back| back.faults().is_empty()));
    }
    Ok(())
}

/// What each format holds whole.
fn held_by(format: Format) -> Parts {
    let short = Parts { tag_length: 4, ..EVERYTHING };
    match format {
        Format::Pgn | Format::Json => EVERYTHING,
        Format::Xqf => {
            Parts { tags: &["Title", "Event", "Red", "Black", "Site", "Date"], marks: false, ..short }
        }
        Format::Cbr | Format::Cbl | Format::Cbf => Parts {
            tags: &["Title", "Event", "Red", "RedTeam", "Black", "Round", "Site"],
            marks: false,
            ..short
        },
        Format::DhtmlXq => {
            Parts { tags: &["Title", "Event", "Red", "RedTeam", "Black"], marks: false, ..short }
        }
        Format::Chn | Format::Text | Format::Mxq | Format::Ccm | Format::Che => Parts {
            tags: &["Event"],
            tag_length: 1,
            composed_starts: false,
            variations: false,
            comments: false,
            marks: false,
        },
    }
}

fn format_and_game() -> impl Strategy<Value = (Format, Game)> {
    select(&Format::ALL[..]).prop_flat_map(|format| (Just(format), games::game(held_by(format))))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn formats_give_back_what_they_can_hold((format, game) in format_and_game(), style in select(&STYLES[..])) {
        let losses = check(&game, format, style)?;
        let said = losses.iter().all(|loss| matches!(loss, Loss::Characters | Loss::Outcome | Loss::Tag(_)));
        prop_assert!(said, "{:?} {:?}", format, losses);
    }

    #[test]
    fn what_a_format_cannot_hold_is_said(
        format in select(&Format::ALL[..]),
        game in games::game(EVERYTHING),
        style in select(&STYLES[..]),
    ) {
        check(&game, format, style)?;
    }

    #[test]
    fn keyed_xqf_reads_back(game in games::game(held_by(Format::Xqf)), keys in any::<[u8; 13]>()) {
        let (bytes, losses) = xqf::write_keyed(&game, keys);
        let back = xqf::read(&bytes).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(back == game, losses.is_empty(), "{:?}", losses);
        prop_assert_eq!(back.move_count(), game.move_count());
    }

    #[test]
    fn json_is_json(game in games::game(EVERYTHING)) {
        let (bytes, losses) = written(&game, Format::Json, MoveStyle::Iccs).unwrap();
        prop_assert!(losses.is_empty());
        let games: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        prop_assert_eq!(games[0]["moves"].as_array().unwrap().len(), game.main_moves().count());
        prop_assert_eq!(count_moves(&games[0]["moves"]), game.move_count());
    }

    #[test]
    fn many_games_share_a_file(
        games in vec(games::game(EVERYTHING), 0..5),
        format in select(&[Format::Pgn, Format::Cbl, Format::Json][..]),
    ) {
        let mut writer = RecordWriter::new(format, MoveStyle::Wxf, Vec::new());
        let mut losses = Vec::new();
        for game in &games {
            losses.push(writer.add(game).unwrap().unwrap());
        }
        let bytes = writer.finish("圖書館").unwrap();
        if format == Format::Cbl {
            prop_assert_eq!(cbl::name(&bytes), "圖書館");
        }
        let back = read(format, &bytes);
        prop_assert_eq!(back.len(), games.len());
        for ((game, back), losses) in games.iter().zip(back).zip(losses) {
            prop_assert_eq!(&back.unwrap() == game, losses.is_empty());
        }
    }

    #[test]
    fn damaged_files_are_errors_not_panics(
        (format, game) in format_and_game(),
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        length in any::<prop::sample::Index>(),
    ) {
        let Ok((mut bytes, _)) = written(&game, format, MoveStyle::Iccs) else { return Ok(()) };
        for (place, byte) in damage {
            *place.get_mut(&mut bytes) = byte;
        }
        for format in Format::ALL.into_iter().chain(Format::READ_ONLY) {
            check_kept(&read(format, &bytes))?;
            check_kept(&read(format, &bytes[..length.index(bytes.len())]))?;
        }
    }

    #[test]
    fn noise_is_an_error_not_a_panic(bytes in vec(any::<u8>(), 0..3000), text in "\\PC{0,300}") {
        for format in Format::ALL.into_iter().chain(Format::READ_ONLY) {
            check_kept(&read(format, &bytes))?;
            check_kept(&read(format, text.as_bytes()))?;
        }
    }
}

fn count_moves(moves: &serde_json::Value) -> usize {
    let variations = |mv: &serde_json::Value| {
        mv["variations"].as_array().into_iter().flatten().map(count_moves).sum::<usize>()
    };
    moves.as_array().into_iter().flatten().map(|mv| 1 + variations(mv)).sum()
}

#[test]
fn faults_cut_a_line_or_refuse_the_game() {
    let text = "[Red \"甲\"]\n1. h2e2 h9g7 2. h2h3 {slip} (2. c3c4) i9h9 *\n\n[Red \"乙\"]\n1. c3c4 *\n";
    let read = |is_strict| {
        let mut games = Vec::new();
        read_records(
            Format::Pgn,
            text.as_bytes(),
            Reading { ranks: RankStyle::FromZero, is_strict },
            |game| {
                games.push(game);
                ControlFlow::Continue(())
            },
        );
        games
    };
    let message = "game 1, line 2: ply 3: h2h3 is illegal: no piece of Red stands on h2";
    let strict = read(true);
    assert_eq!(strict.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true]);
    assert_eq!(strict[0].as_ref().unwrap_err().to_string(), message);
    let kept = read(false).remove(0).unwrap();
    let takes_place = "game 1, line 2: ply 3: the variation c3c4 takes the place of the line that was cut";
    assert_eq!(kept.faults().iter().map(ToString::to_string).collect::<Vec<_>>(), [message, takes_place]);
    let (bytes, _) = written(&kept, Format::Pgn, MoveStyle::Coordinates).unwrap();
    let written = String::from_utf8(bytes).unwrap();
    assert!(written.ends_with("1. h2e2 h9g7 {h2h3 (slip)\ni9h9} 2. c3c4 *\n\n"), "{written}");
}

#[test]
fn pages_of_text_and_odd_diagrams_are_records() {
    let records = [
        (Format::Pgn, "[Title \"序\"]\n{a page of text} *\n", 0),
        (Format::Pgn, "[FEN \"4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1\"]\n*\n", 1),
        (Format::Pgn, "[Title \"圖\"]\n[FEN \"9/9/9/9/9/9/9/9/9/4K4 w\"]\n1. e0e1 *\n", 1),
        (
            Format::DhtmlXq,
            "<html>[DhtmlXQ][DhtmlXQ_title]章[/DhtmlXQ_title][DhtmlXQ_comment0]文[/DhtmlXQ_comment0]",
            0,
        ),
    ];
    for (format, text, faults) in records {
        let games = read(format, text.as_bytes());
        let game = games[0].as_ref().unwrap();
        assert_eq!((game.move_count(), game.faults().len()), (0, faults), "{text}");
    }
}

#[test]
fn a_result_survives_in_a_list() {
    let text = "1-0\th2e2 h9g7\n0-1\tC2=5 馬８進７ h0g2\n# a remark\n*\t\n";
    let games: Vec<Game> = read(Format::Text, text.as_bytes()).into_iter().map(Result::unwrap).collect();
    let summary: Vec<_> = games.iter().map(|game| (game.outcome, game.move_count())).collect();
    assert_eq!(summary, [(Outcome::RedWins, 2), (Outcome::BlackWins, 3), (Outcome::Undecided, 0)]);
}
