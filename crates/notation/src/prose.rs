//! Games as people and web sites write them into a text: lines such as `红方：许银川`, then moves with or without
//! numbers, spaces and remarks; and the files of PlayOK and XieXie (`.wxf`), whose head has lines such as `RED name`.
//!
//! [`as_pgn`] turns such a text into PGN line by line, so that the lines of faults stay right.

use std::fmt::Write;

use chuhe_board::Outcome;

use crate::folding::fold;
use crate::pgn;
use crate::record::outcome_from_words;

/// The tags of PGN and what the lines are called that say the same, simplified.
const HEADINGS: [(&str, &[&str]); 21] = [
    ("Title", &["标题", "棋谱标题", "名称", "棋谱名称", "局名"]),
    ("Event", &["赛事", "比赛", "比赛名称", "赛事名称", "event"]),
    ("Date", &["日期", "时间", "比赛日期", "比赛时间", "对局时间", "date"]),
    ("Site", &["地点", "比赛地点", "site", "place"]),
    ("Round", &["轮次", "round"]),
    ("Group", &["组别"]),
    ("Table", &["台次"]),
    ("Red", &["红方", "红方姓名", "红方棋手", "先手", "red"]),
    ("Black", &["黑方", "黑方姓名", "黑方棋手", "后手", "black"]),
    ("RedTeam", &["红方团体", "红方队伍", "redteam"]),
    ("BlackTeam", &["黑方团体", "黑方队伍", "blackteam"]),
    ("RedTime", &["红方用时"]),
    ("BlackTime", &["黑方用时"]),
    ("Result", &["结果", "比赛结果", "对局结果", "棋局结果", "result"]),
    ("TimeControl", &["记时规则", "计时规则", "用时规则"]),
    ("Annotator", &["评论", "评注", "讲评", "注解"]),
    ("Author", &["作者", "棋谱作者", "author"]),
    ("Opening", &["开局", "布局", "opening"]),
    ("Source", &["来源", "来源网站"]),
    ("Category", &["分类", "棋谱分类"]),
    ("FEN", &["fen"]),
];

/// The text as PGN; as it is, if it has neither a heading nor a move, so that other texts are no records.
pub(crate) fn as_pgn(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut has_moves = false;
    let mut is_record = false;
    for line in text.trim_start_matches('\u{feff}').lines() {
        let line = line.trim();
        let line = line.strip_prefix("START{").unwrap_or(line);
        let line = line.strip_suffix("}END").unwrap_or(line).trim();
        if let Some((tag, value)) = heading(line) {
            write_tag(&mut written, tag, value);
            has_moves = false;
            is_record = true;
        } else if pgn::has_moves(line) {
            written.push_str(line);
            has_moves = true;
            is_record = true;
        } else if let Some(outcome) = result(line) {
            // A result ends a game, so one before the moves would make two of it.
            if has_moves {
                written.push_str(outcome.as_str());
            }
        } else if !line.is_empty() && !is_ornament(line) {
            write!(written, "{{{}}}", line.replace('{', "｛").replace('}', "｝"))
                .expect("writing to a string cannot fail");
        }
        written.push('\n');
    }
    if is_record { written } else { text.to_owned() }
}

/// What a line of the head says: `标题：…`, `【红方】…` or, in upper case, `RED …`.
fn heading(line: &str) -> Option<(&'static str, &str)> {
    let bracketed = line.strip_prefix('【').and_then(|rest| rest.split_once('】'));
    let upper = line
        .split_once(char::is_whitespace)
        .or(Some((line, "")))
        .filter(|(name, _)| name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_uppercase()));
    let (name, value) = bracketed.or_else(|| line.split_once([':', '：'])).or(upper)?;
    // The files of PlayOK say what they are.
    if matches!(name, "FORMAT" | "GAME") {
        return Some(("Game", ""));
    }
    let name = fold(name);
    let (tag, _) = HEADINGS.iter().find(|(_, names)| names.contains(&name.as_str()))?;
    Some((tag, value.trim_start_matches([':', '：']).trim()))
}

/// PlayOK puts the rating behind the name, and the clock behind the event.
fn write_tag(written: &mut String, tag: &str, value: &str) {
    let second = match tag {
        "Red" => "RedRating",
        "Black" => "BlackRating",
        "Event" => "TimeControl",
        _ => "",
    };
    let parts = if second.is_empty() { (value, "") } else { value.split_once(';').unwrap_or((value, "")) };
    let mut write = |tag: &str, value: &str| {
        let escaped = value.trim().replace('\\', "\\\\").replace('"', "\\\"");
        write!(written, "[{tag} \"{escaped}\"]").expect("writing to a string cannot fail");
    };
    write(tag, parts.0);
    let rest = parts.1.trim_end_matches(';').trim();
    if !rest.is_empty() {
        write(second, rest);
    }
}

/// The result if a line says nothing else.
fn result(line: &str) -> Option<Outcome> {
    /// As in （红方胜）。
    const LONGEST: usize = 8;
    let outcome = outcome_from_words(line);
    (line.chars().count() <= LONGEST && outcome != Outcome::Undecided).then_some(outcome)
}

/// A line of dashes or the like.
fn is_ornament(line: &str) -> bool {
    !line.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::RankStyle;

    use super::*;
    use crate::record::Game;
    use crate::text;

    fn games(text: &str) -> Vec<Game> {
        text::read(text, RankStyle::FromZero).map(Result::unwrap).collect()
    }

    fn moves(game: &Game) -> String {
        game.main_moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    }

    const FOUR: &str = "h2e2 h9g7 h0g2 i9h9";

    #[test]
    fn a_head_in_chinese_becomes_tags() {
        let text = "標題：中炮對屏風馬\n【红方】许银川\n黑方: 吕钦\n结果：红胜\n==========\n這是一盤好棋\n\n\
                    1. 炮二平五 马8进7\n2. 马二进三 车9平8\n红胜\n";
        let games = games(text);
        assert_eq!(games.len(), 1);
        let tags: Vec<_> = games[0].tags.iter().collect();
        assert_eq!(tags, [("Title", "中炮對屏風馬"), ("Red", "许银川"), ("Black", "吕钦")]);
        assert_eq!((moves(&games[0]).as_str(), games[0].outcome), (FOUR, Outcome::RedWins));
        assert_eq!(games[0].comment(crate::record::NodeId::ROOT), "這是一盤好棋");
    }

    #[test]
    fn moves_may_be_numbered_and_spaced_in_many_ways() {
        for text in [
            "1.炮二平五马8进7 2.马二进三车9平8",
            "１．炮二平五　马８进７　２．马二进三　车９平８",
            "⒈炮二平五 马8进7 ⒉马二进三 车9平8",
            "① 炮二平五 马8进7 ② 马二进三 车9平8",
            "第1回合 炮二平五 马8进7\n第2回合 马二进三 车9平8\n",
            "1、炮二平五，马8进7；2、马二进三，车9平8。",
            "1. 炮二平五 （正着） 马8进7 (屏风马) 2. 马二进三 车9平8 双方出子",
            "h2e2h9g7h0g2i9h9",
            "h2e2 h9g7\nh0g2 i9h9",
            "h2e2\nh9g7\nh0g2\ni9h9\n",
        ] {
            let mut games = Vec::new();
            for game in text::read_tolerantly(text, RankStyle::FromZero) {
                games.push(game.unwrap());
            }
            assert_eq!(games.len(), 1, "{text}");
            assert_eq!(moves(&games[0]), FOUR, "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_records() {
        for text in ["hello there", "一篇文章，没有棋。\n第二行\n"] {
            let read: Vec<_> = text::read_tolerantly(text, RankStyle::FromZero).collect();
            assert!(read.iter().all(Result::is_err), "{text}");
        }
    }

    #[test]
    fn the_files_of_playok_are_read() {
        let text = "FORMAT\tWXF\nRED     one ; 1200 ;;\nBLACK   two ; 1240 ;;\nRESULT  0-1\nDATE    2020-02-02\n\
                    EVENT   PlayOK Game ; 10m+0s\nSTART{\n 1. C2.5 h8+7  2. H2+3 r9.8 }END\n\
                    FORMAT  WXF\nGAME    \nRED     \t;;;\nFEN  \t3k5/9/9/9/9/9/9/9/9/4K4 w\n\nSTART{\n}END\n";
        let games = games(text);
        assert_eq!(games.len(), 2);
        assert_eq!((moves(&games[0]).as_str(), games[0].outcome), (FOUR, Outcome::BlackWins));
        for (tag, value) in
            [("Red", "one"), ("RedRating", "1200"), ("BlackRating", "1240"), ("TimeControl", "10m+0s")]
        {
            assert_eq!(games[0].tags.get(tag), Some(value));
        }
        assert_eq!(games[1].start().to_string(), "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    }
}
