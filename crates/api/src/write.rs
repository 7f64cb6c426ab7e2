//! `POST /api/write`: a game in any record format.

use chuhe_board::Outcome;
use chuhe_notation::chinese::Script;
use chuhe_notation::pgn::MoveStyle;
use chuhe_notation::record::{Game, GameBuilder, Mark, NodeId};
use chuhe_notation::{Format, Loss, RecordWriter};
use serde::Deserialize;

use crate::wire::{position, too_many_moves};
use crate::{Arg, Key, Notice};

/// Larger trees are refused, as by `/api/read`.
const MAX_NODES: usize = 20_000;
const MAX_TAGS: usize = 1000;
/// Limit of moves made and taken back between variations.
const MAX_STEPS: usize = 5_000_000;

/// Query of `/api/write`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteOptions {
    /// The format by file extension: `pgn`, `xqf` …
    format: String,
    /// The move notation, where the format leaves a choice.
    #[serde(default)]
    style: Style,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Style {
    #[default]
    Iccs,
    Wxf,
    Traditional,
    Simplified,
}

impl From<Style> for MoveStyle {
    fn from(style: Style) -> Self {
        match style {
            Style::Iccs => Self::Iccs,
            Style::Wxf => Self::Wxf,
            Style::Traditional => Self::Chinese(Script::Traditional),
            Style::Simplified => Self::Chinese(Script::Simplified),
        }
    }
}

/// A game to write.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WrittenGame {
    tags: Vec<(String, String)>,
    /// The start position as FEN.
    start: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: String,
    /// The comment before the first move.
    comment: String,
    /// The moves; each comes after its parent.
    nodes: Vec<WrittenNode>,
}

/// A move of a game to write.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WrittenNode {
    /// The previous move: 0 for the start position, else the number of a node, from 1.
    parent: usize,
    /// Coordinates with ranks 0–9.
    #[serde(rename = "move")]
    mv: String,
    comment: String,
    /// Numeric annotation glyphs (NAGs).
    #[cfg_attr(feature = "typescript", ts(type = "Array<number>"))]
    marks: Vec<Mark>,
}

/// A written game.
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its extension.
    pub extension: &'static str,
    /// What the format cannot hold.
    pub losses: Vec<Notice>,
}

/// Writes a game, unless `is_stopped` says that nobody waits for it any more.
pub fn write(
    options: &WriteOptions,
    game: &WrittenGame,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Written, Notice> {
    let format = parse_format(&options.format)?;
    let (bytes, losses) = encode(format, options.style.into(), &game.game(is_stopped)?)?;
    let losses = losses.into_iter().map(Notice::from).collect();
    Ok(Written { bytes, extension: format.extension(), losses })
}

fn parse_format(name: &str) -> Result<Format, Notice> {
    Format::ALL.into_iter().find(|format| format.extension() == name).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.into_iter().map(Format::extension).collect();
        let name: String = name.chars().take(40).collect();
        let text = format!("'{name}' is not a format: expected one of {}", known.join(", "));
        Notice::new(Key::UnknownFormat, [Arg::from(&name)], text)
    })
}

fn encode(format: Format, style: MoveStyle, game: &Game) -> Result<(Vec<u8>, Vec<Loss>), Notice> {
    let failed = |error: std::io::Error| Notice::around(Key::CannotWrite, error);
    let mut writer = RecordWriter::new(format, style, Vec::new());
    let losses = writer.add(game).map_err(failed)??;
    let bytes = writer.finish("Chuhe").map_err(failed)?;
    Ok((bytes, losses))
}

impl WrittenGame {
    fn game(&self, is_stopped: &dyn Fn() -> bool) -> Result<Game, Notice> {
        if self.nodes.len() > MAX_NODES {
            return Err(too_many_moves(self.nodes.len(), MAX_NODES));
        }
        if self.tags.len() > MAX_TAGS {
            let (count, most) = (self.tags.len(), MAX_TAGS);
            let text = format!("{count} tags are more than {most}");
            return Err(Notice::new(Key::TooManyTags, [Arg::from(count), Arg::from(most)], text));
        }
        let mut builder = GameBuilder::new(position(Some(&self.start))?);
        builder.add_comment(&self.comment);
        let mut ids = vec![NodeId::ROOT];
        // The cost of moving the builder from variation to variation.
        let (mut plies, mut steps) = (vec![0], 0);
        for (index, node) in self.nodes.iter().enumerate() {
            Notice::if_closed(is_stopped)?;
            let number = index + 1;
            let parent = ids.get(node.parent).ok_or_else(|| {
                let text = format!("move {number} follows move {}, which is not before it", node.parent);
                Notice::new(Key::BadParent, [Arg::from(number), Arg::from(node.parent)], text)
            })?;
            if node.parent != index {
                steps += plies[index] + plies[node.parent];
            }
            if steps > MAX_STEPS {
                return Err(Notice::plain(Key::TooDeep, "the variations are too deep"));
            }
            plies.push(plies[node.parent] + 1);
            let added = builder.add_node(*parent, &node.mv, &node.comment, &node.marks);
            ids.push(added?);
        }
        for (name, value) in &self.tags {
            builder.set_tag(name, value);
        }
        builder.set_outcome(Outcome::from_token(&self.result).unwrap_or_default());
        Ok(builder.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(json: &str) -> Result<Game, Notice> {
        serde_json::from_str::<WrittenGame>(json).unwrap().game(&|| false)
    }

    const START: &str = chuhe_board::fen::START;

    #[test]
    fn a_game_goes_into_every_format() {
        let game = written(&format!(
            r#"{{"tags": [["Red", "甲"]], "start": "{START}", "result": "1-0", "comment": "", "nodes": [
                {{"parent": 0, "move": "h2e2", "comment": "中炮", "marks": [1]}},
                {{"parent": 0, "move": "c3c4", "comment": "", "marks": []}},
                {{"parent": 1, "move": "h9g7", "comment": "", "marks": []}}]}}"#
        ))
        .unwrap();
        assert_eq!(game.main_line().count(), 2);
        for format in Format::ALL {
            let (bytes, _) = encode(format, MoveStyle::Wxf, &game).unwrap();
            assert!(!bytes.is_empty(), "{format:?}");
        }
    }

    #[test]
    fn huge_games_are_refused() {
        let game = |tags: usize, nodes: Vec<WrittenNode>| WrittenGame {
            tags: (0..tags).map(|number| (format!("Tag{number}"), "x".to_owned())).collect(),
            start: START.to_owned(),
            result: "*".to_owned(),
            comment: String::new(),
            nodes,
        };
        let node = |parent, mv: &str| WrittenNode {
            parent,
            mv: mv.to_owned(),
            comment: String::new(),
            marks: Vec::new(),
        };
        let refused = |game: WrittenGame| game.game(&|| false).unwrap_err().to_string();
        assert_eq!(refused(game(60_000, Vec::new())), "60000 tags are more than 1000");
        let many = (0..30_000).map(|index| node(index, "a0a1")).collect();
        assert_eq!(refused(game(0, many)), "30000 moves are more than 20000");
        // Two long lines, extended in turn.
        let shuffle = ["a0a1", "a9a8", "a1a0", "a8a9"];
        let alternating = (0..20_000).map(|index: usize| match index {
            0 => node(0, "a0a1"),
            1 => node(0, "i0i1"),
            _ if index.is_multiple_of(2) => node(index - 1, shuffle[index / 2 % 4]),
            _ => node(index - 1, ["i0i1", "i9i8", "i1i0", "i8i9"][index / 2 % 4]),
        });
        assert_eq!(refused(game(0, alternating.collect())), "the variations are too deep");
    }

    #[test]
    fn a_closed_request_stops() {
        let game = serde_json::from_str::<WrittenGame>(&format!(
            r#"{{"tags": [], "start": "{START}", "result": "*", "comment": "",
                "nodes": [{{"parent": 0, "move": "h2e2", "comment": "", "marks": []}}]}}"#
        ));
        assert!(game.unwrap().game(&|| true).is_err());
    }

    #[test]
    fn a_move_before_its_parent_or_an_illegal_one_is_refused() {
        let with = |parent: usize, mv: &str| {
            written(&format!(
                r#"{{"tags": [], "start": "{START}", "result": "*", "comment": "",
                    "nodes": [{{"parent": {parent}, "move": "{mv}", "comment": "", "marks": []}}]}}"#
            ))
        };
        assert!(with(0, "h2e2").is_ok());
        assert!(format!("{:?}", with(1, "h2e2").unwrap_err()).contains("follows move 1"));
        assert!(format!("{:?}", with(0, "h2h3h4").unwrap_err()).contains("is not a move"));
        assert!(format!("{:?}", with(0, "a0b0").unwrap_err()).contains("is illegal"));
    }
}
