//! Learning after games: off by default, into a book of its own, and without a trace when it is taken back.

#[path = "support/conversation.rs"]
#[expect(dead_code, reason = "transcripts are for other tests")]
mod conversation;

use std::path::Path;

use chuhe_board::{Move, Position};
use chuhe_book::{Book, BookMove, Entries, Store, slot};
use conversation::Conversation;

fn first_moves() -> Vec<Move> {
    let start = Position::start();
    start.moves().into_iter().filter(|mv| slot(&start, *mv).1 == *mv).collect()
}

/// A book with one move for Red's first.
fn write_book(path: &Path) -> Move {
    let mv = first_moves()[0];
    let key = Position::start().merged_key().0;
    Book::write(path, &Entries::from([(key, vec![BookMove::new(mv)])])).unwrap();
    mv
}

fn learnt(folder: &Path, mv: Move) -> Option<(u32, u32, u32, i16)> {
    let book = Book::open(&folder.join("my.learnt.book")).ok()?;
    let moves = book.moves(&Position::start());
    let known = moves.iter().find(|known| known.mv == mv)?;
    Some((known.count, known.wins, known.losses, known.weight))
}

/// Plays Red's first move and says how the game ended.
fn play(folder: &Path, learning: bool, result: &str) {
    let mut conversation = Conversation::new();
    conversation.ask("uci", "uciok");
    conversation.say(&format!("setoption name Book File value {}", folder.join("my.book").display()));
    conversation.say("setoption name OwnBook value true");
    conversation.say(&format!("setoption name Book Learning value {learning}"));
    conversation.say("position startpos");
    conversation.ask("go depth 1", "bestmove");
    conversation.say(&format!("setoption name Book Result value {result}"));
    conversation.say("ucinewgame");
    conversation.say("quit");
    let rest = conversation.replies();
    assert!(rest.is_empty(), "{rest:?}");
}

#[test]
fn wins_raise_and_losses_lower_and_all_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.book");
    let mv = write_book(&path);
    let before = std::fs::read(&path).unwrap();
    play(folder.path(), false, "1-0");
    assert_eq!(learnt(folder.path(), mv), None, "off by default");
    play(folder.path(), true, "1-0");
    assert_eq!(learnt(folder.path(), mv), Some((1, 1, 0, 10)));
    play(folder.path(), true, "0-1");
    play(folder.path(), true, "0-1");
    assert_eq!(learnt(folder.path(), mv), Some((3, 1, 2, -10)));
    assert_eq!(std::fs::read(&path).unwrap(), before, "the book itself stays");
    let store = Store::beside(&folder.path().join("my.learnt.book")).unwrap();
    assert_eq!(store.unlearn(2).unwrap(), 2);
    assert_eq!(store.entries().unwrap().values().flatten().map(|known| known.weight).max(), Some(10));
    assert_eq!(store.unlearn(u64::MAX).unwrap(), 1);
    assert!(store.is_empty().unwrap());
}

#[test]
fn what_was_learnt_changes_what_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.book");
    let moves = first_moves();
    let key = Position::start().merged_key().0;
    let known = |mv: &Move| BookMove { score: Some(20), ..BookMove::new(*mv) };
    Book::write(&path, &Entries::from([(key, vec![known(&moves[0]), known(&moves[1])])])).unwrap();
    let mut conversation = Conversation::new();
    conversation.ask("uci", "uciok");
    conversation.say(&format!("setoption name Book File value {}", path.display()));
    conversation.say("setoption name OwnBook value true");
    conversation.say("setoption name Book Policy value best");
    conversation.say("setoption name Book Learning value true");
    conversation.say("position startpos");
    let chosen = |conversation: &mut Conversation| {
        let lines = conversation.ask("go depth 1", "bestmove");
        lines.last().unwrap().split_whitespace().nth(1).unwrap().to_owned()
    };
    let first = chosen(&mut conversation);
    conversation.say("setoption name Book Result value 0-1");
    let second = chosen(&mut conversation);
    assert_ne!(first, second, "after a loss the other move is played");
    conversation.say("setoption name Book Learning value false");
    assert_eq!(chosen(&mut conversation), first, "switched off, nothing is left of it");
}

#[test]
fn xboard_tells_how_games_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.book");
    let mv = write_book(&path);
    let mut conversation = Conversation::new();
    conversation.say("xboard");
    conversation.ask("protover 2", "feature");
    conversation.say(&format!("option Book File={}", path.display()));
    conversation.say("option OwnBook=1");
    conversation.say("option Book Learning=1");
    conversation.say("new");
    conversation.say("sd 1");
    conversation.ask("go", "move");
    conversation.say("result 1-0 {Black resigns}");
    assert_eq!(learnt(folder.path(), mv), Some((1, 1, 0, 10)));
    conversation.say("new");
    conversation.say("quit");
    assert_eq!(learnt(folder.path(), mv), Some((1, 1, 0, 10)), "a game is learnt once");
}

#[test]
fn failed_learning_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    write_book(&folder.path().join("my.book"));
    std::fs::write(folder.path().join("my.learnt.book"), "my diary").unwrap();
    let mut conversation = Conversation::new();
    conversation.ask("uci", "uciok");
    conversation.say(&format!("setoption name Book File value {}", folder.path().join("my.book").display()));
    let replies = conversation.ask("setoption name Book Learning value true", "info");
    assert!(replies[0].contains("Book Learning stays as it was"), "{replies:?}");
    assert!(replies[0].contains("not an opening book"), "{replies:?}");
    assert_eq!(std::fs::read(folder.path().join("my.learnt.book")).unwrap(), b"my diary");
}
