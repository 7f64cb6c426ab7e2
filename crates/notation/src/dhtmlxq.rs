//! DhtmlXQ, the text of the site dpxq.com and of forums that show its board (UBB): fields such as
//! `[DhtmlXQ_movelist]77477062…[/DhtmlXQ_movelist]`, points as two digits from Black's corner on
//! Red's left. `docs/formats.md` describes it.

mod read;
mod write;

pub use read::read;
pub(crate) use read::read_tolerantly;
pub use write::write;

/// Fields and the tags they hold. Of several fields for a tag the first is written.
const FIELDS: [(&str, &str); 27] = [
    ("title", "Title"),
    ("event", "Event"),
    ("class", "EventClass"),
    ("group", "Group"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("table", "Table"),
    ("timerule", "TimeControl"),
    ("red", "Red"),
    ("redname", "Red"),
    ("redteam", "RedTeam"),
    ("redrating", "RedRating"),
    ("redtime", "RedTime"),
    ("black", "Black"),
    ("blackname", "Black"),
    ("blackteam", "BlackTeam"),
    ("blackrating", "BlackRating"),
    ("blacktime", "BlackTime"),
    ("gametype", "GameType"),
    ("endtype", "Termination"),
    ("remark", "Annotator"),
    ("author", "Author"),
    ("refer", "Source"),
    ("judge", "Referee"),
    ("record", "Recorder"),
    ("type", "Category"),
];

/// The opening: its code and name in one field.
const OPENING: &str = "open";

/// What stands for a line end in comments.
const LINE_END: &str = "||";

/// Whether a text has a game in this format.
pub fn is_dhtmlxq(text: &str) -> bool {
    text.contains("[DhtmlXQ")
}

/// Whether this is a code of the encyclopedia of openings: `A00` to `E99`.
fn is_opening_code(code: &str) -> bool {
    matches!(code.as_bytes(), [b'A'..=b'E', tens, ones] if tens.is_ascii_digit() && ones.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Position;

    use crate::failure::Loss;
    use chuhe_board::Outcome;

    use crate::record::{Game, NodeId};

    const PAGE: &str = "<html> something
[DhtmlXQ]
[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]
[DhtmlXQ_title]甲 先胜 乙[/DhtmlXQ_title]
[DhtmlXQ_redname]甲[/DhtmlXQ_redname]
[DhtmlXQ_open]D29 顺炮直车对横车[/DhtmlXQ_open]
[DhtmlXQ_result]红胜[/DhtmlXQ_result]
[DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]
[DhtmlXQ_movelist]774772427967[/DhtmlXQ_movelist]
[DhtmlXQ_comment0]开局||第二行[/DhtmlXQ_comment0]
[DhtmlXQ_comment3]跳马[/DhtmlXQ_comment3]
[DhtmlXQ_move_0_2_1]70627967[/DhtmlXQ_move_0_2_1]
[DhtmlXQ_move_0_1_2]2625[/DhtmlXQ_move_0_1_2]
[DhtmlXQ_move_1_3_3]8979[/DhtmlXQ_move_1_3_3]
[DhtmlXQ_comment1_2]变着[/DhtmlXQ_comment1_2]
[/DhtmlXQ]
<footer>";

    #[test]
    fn a_page_is_read() {
        let game = read(PAGE).next().unwrap().map_err(|error| error.to_string());
        // 8979 is a chariot that does not stand free yet in that line.
        assert_eq!(
            game,
            Err("game 1, line 14: ply 3: i0h0 is illegal: an own piece stands on h0".to_owned())
        );
        let game = read(&PAGE.replace("8979[", "6665[")).next().unwrap().unwrap();
        let moves: Vec<String> = game.main_moves().map(|mv| mv.to_string()).collect();
        assert_eq!(moves, ["h2e2", "h7e7", "h0g2"]);
        assert_eq!(game.comment(NodeId::ROOT), "开局\n第二行");
        assert_eq!(game.comment(game.main_line().nth(2).unwrap()), "跳马");
        let first = game.first_child(NodeId::ROOT).unwrap();
        let reply = game.next_sibling(game.first_child(first).unwrap()).unwrap();
        assert_eq!((game.mv(reply).unwrap().to_string(), game.comment(reply)), ("h9g7".to_owned(), "变着"));
        assert_eq!(game.children(reply).count(), 2);
        assert_eq!(game.mv(game.next_sibling(first).unwrap()).unwrap().to_string(), "c3c4");
        assert_eq!((game.tags.get("ECCO"), game.tags.get("Red")), (Some("D29"), Some("甲")));
        assert_eq!(game.outcome, Outcome::RedWins);
    }

    #[test]
    fn errors_name_the_line() {
        let message = |text: &str| read(text).next().unwrap().unwrap_err().to_string();
        assert_eq!(message("nothing"), "game 1, line 1: this is no DhtmlXQ file");
        let unknown_parent = PAGE.replace("move_1_3_3", "move_7_3_3");
        assert_eq!(
            message(&unknown_parent),
            "game 1, line 14: misplaced variation: its parent has no such move"
        );
        assert_eq!(
            message("[DhtmlXQ]\n[DhtmlXQ_binit]89[/DhtmlXQ_binit]"),
            "game 1, line 2: '89' is not understood"
        );
    }

    #[test]
    fn what_would_end_a_field_is_replaced() {
        let mut game = Game::new(Position::start());
        game.tags.set("Event", "a[/DhtmlXQ_event]b");
        let (text, losses) = write(&game);
        assert_eq!(losses, [Loss::Characters]);
        assert_eq!(read(&text).next().unwrap().unwrap().tags.get("Event"), Some("a［/DhtmlXQ_event]b"));
    }
}
