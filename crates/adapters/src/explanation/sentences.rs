//! The largest reasons of an evaluation as one sentence, in three languages.

use std::fmt::Write as _;

use chuhe_board::{Piece, PieceKind, Position, Side, Square};
use chuhe_notation::chinese::{Script, piece_name};

use super::{Evaluation, Group};

/// The reasons worth telling: at most this many …
const MOST_REASONS: usize = 3;
/// … that differ by at least this, in centisoldiers.
const LEAST_DIFFERENCE: i32 = 15;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    English,
    Chinese(Script),
}

impl Language {
    const ALL: [Self; 3] =
        [Self::English, Self::Chinese(Script::Traditional), Self::Chinese(Script::Simplified)];
}

/// A mistake is explained by at most this many groups …
const MOST_LOSSES: usize = 2;
/// … that lost at least this, in centisoldiers.
const LEAST_LOSS: i32 = 30;

impl Evaluation {
    /// The largest differences between the sides as a sentence, in English, Traditional and Simplified Chinese. Empty if
    /// no group stands out.
    pub fn sentences(&self, position: &Position) -> [String; 3] {
        let worth_telling = |group: &&Group| group.total().abs() >= LEAST_DIFFERENCE;
        let largest: Vec<&Group> = self.groups.iter().filter(worth_telling).take(MOST_REASONS).collect();
        told(&largest, position)
    }

    /// What speaks against `side` here and would not in `other`, as a sentence like those of [`Self::sentences`]: why a
    /// move that led here was worse. Empty if no group stands out.
    pub fn losses_against(&self, side: Side, other: &Self, position: &Position) -> [String; 3] {
        let sign = if side == Side::Red { -1 } else { 1 };
        let lost = |group: &Group| {
            let there = other.groups.iter().find(|known| known.name == group.name).map_or(0, Group::total);
            sign * (group.total() - there)
        };
        let is_against =
            |group: &&Group| sign * group.total() >= LEAST_DIFFERENCE && lost(group) >= LEAST_LOSS;
        let mut largest: Vec<&Group> = self.groups.iter().filter(is_against).collect();
        largest.sort_by_key(|group| std::cmp::Reverse(lost(group)));
        largest.truncate(MOST_LOSSES);
        told(&largest, position)
    }
}

/// The groups as one sentence in every language.
fn told(groups: &[&Group], position: &Position) -> [String; 3] {
    Language::ALL.map(|language| {
        let clauses: Vec<String> =
            groups.iter().map(|group| Clause { language, position, group }.to_text()).collect();
        let (and, stop) = if language == Language::English { ("; ", ".") } else { ("；", "。") };
        if clauses.is_empty() { String::new() } else { clauses.join(and) + stop }
    })
}

/// What is told of one group.
struct Clause<'a> {
    language: Language,
    position: &'a Position,
    group: &'a Group,
}

impl Clause<'_> {
    fn to_text(&self) -> String {
        let owner = self.owner();
        let template = self.template();
        let mut text = template.replace("{own}", self.side(owner)).replace("{other}", self.side(!owner));
        if text.contains("{list}") {
            text = text.replace("{list}", &self.material());
        }
        if let Some((own, enemy)) = self.pieces() {
            text = text.replace("{piece}", &self.piece(own)).replace("{target}", &self.target(enemy));
        }
        let soldiers = f64::from(self.group.total().abs()) / 100.0;
        let sign = if is_about_other(template) { '−' } else { '+' };
        let _ = match self.language {
            Language::English => write!(text, " ({sign}{soldiers:.2})"),
            Language::Chinese(_) => write!(text, "（{sign}{soldiers:.2}）"),
        };
        text
    }

    /// The words for the side whose share of the difference is larger: what the owner has, or what the other side suffers.
    fn template(&self) -> &'static str {
        let owner = self.owner();
        let [own, other] = [owner, !owner].map(|side| self.group.worth[side.index()]);
        let words = match drawback(self.group.name) {
            Some(words) if -other > own => words,
            _ => template(self.group.name),
        };
        words[self.language.index()]
    }

    /// Whom the group favours.
    const fn owner(&self) -> Side {
        if self.group.total() > 0 { Side::Red } else { Side::Black }
    }

    const fn side(&self, side: Side) -> &'static str {
        match (self.language, side) {
            (Language::English, Side::Red) => "Red",
            (Language::English, Side::Black) => "Black",
            (Language::Chinese(Script::Traditional), Side::Red) => "紅方",
            (Language::Chinese(Script::Simplified), Side::Red) => "红方",
            (Language::Chinese(_), Side::Black) => "黑方",
        }
    }

    /// The owner's piece and the enemy's that the dearest reason is about, the enemy's nearest first.
    fn pieces(&self) -> Option<(Square, Option<Square>)> {
        let owner = self.owner();
        let reasons = self.group.reasons.iter().filter(|reason| reason.side == owner);
        let points = reasons.max_by_key(|reason| reason.worth)?.points;
        let enemies = points & self.position.pieces(!owner);
        let others = enemies - self.position.kind(PieceKind::General);
        let enemies = if others.is_empty() { enemies } else { others };
        let own = (points & self.position.pieces(owner)).into_iter().next();
        let from = own.or_else(|| enemies.into_iter().next())?;
        let distance =
            |square: &Square| square.file().abs_diff(from.file()) + square.rank().abs_diff(from.rank());
        Some((from, enemies.into_iter().min_by_key(distance)))
    }

    /// A piece with its file: "cannon on the middle file", 中路炮.
    fn piece(&self, square: Square) -> String {
        let Some(piece) = self.position.piece_on(square) else {
            return square.to_string();
        };
        let name = self.name(piece);
        match (self.language, square.file()) {
            (Language::English, 4) => format!("{name} on the middle file"),
            (Language::English, _) => format!("{name} on {square}"),
            (Language::Chinese(_), 4) => format!("中路{name}"),
            (Language::Chinese(_), file) => format!("{}路{name}", file_number(file, piece.side())),
        }
    }

    /// What is aimed at: "the horse on c7", the pieces of guards and generals without a point.
    fn target(&self, square: Option<Square>) -> String {
        let Some((square, piece)) = square.and_then(|square| Some((square, self.position.piece_on(square)?)))
        else {
            return String::new();
        };
        match (self.language, piece.kind()) {
            (Language::English, PieceKind::General | PieceKind::Advisor | PieceKind::Elephant) => {
                format!("the {}", self.name(piece))
            }
            (Language::English, _) => format!("the {} on {square}", self.name(piece)),
            (Language::Chinese(_), _) => self.name(piece),
        }
    }

    fn name(&self, piece: Piece) -> String {
        match self.language {
            Language::English => english(piece.kind()).to_owned(),
            Language::Chinese(script) => piece_name(piece, script).to_string(),
        }
    }

    /// What the owner has more and less of: "a horse for two soldiers", 多一馬，少二兵.
    fn material(&self) -> String {
        let owner = self.owner();
        let count = |side, kind| self.position.pieces_of(side, kind).len() as i32;
        let by_value = [
            PieceKind::Chariot,
            PieceKind::Horse,
            PieceKind::Cannon,
            PieceKind::Soldier,
            PieceKind::Advisor,
            PieceKind::Elephant,
        ];
        let balance = by_value.map(|kind| (kind, count(owner, kind) - count(!owner, kind)));
        let list = |sign: i32| {
            let some = balance.iter().filter(|(_, more)| more * sign > 0);
            let side = if sign > 0 { owner } else { !owner };
            let words: Vec<String> =
                some.map(|(kind, more)| self.counted(Piece::new(side, *kind), more.unsigned_abs())).collect();
            words.join(if self.language == Language::English { " and " } else { "" })
        };
        let (more, fewer) = (list(1), list(-1));
        match (self.language, fewer.is_empty()) {
            (_, true) => more,
            (Language::English, _) => format!("{more} for {fewer}"),
            (Language::Chinese(_), _) => format!("{more}，少{fewer}"),
        }
    }

    fn counted(&self, piece: Piece, count: u32) -> String {
        let name = self.name(piece);
        match (self.language, count) {
            (Language::English, 1) if name.starts_with(['a', 'e']) => format!("an {name}"),
            (Language::English, 1) => format!("a {name}"),
            (Language::English, _) => {
                format!("{} {name}s", ["two", "three", "four", "five"][count as usize - 2])
            }
            (Language::Chinese(_), _) => format!("{}{name}", NUMERALS[count as usize - 1]),
        }
    }
}

impl Language {
    const fn index(self) -> usize {
        match self {
            Self::English => 0,
            Self::Chinese(Script::Traditional) => 1,
            Self::Chinese(Script::Simplified) => 2,
        }
    }
}

const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The number of a file as its side counts it, from its right.
fn file_number(file: u8, side: Side) -> String {
    match side {
        Side::Red => NUMERALS[usize::from(8 - file)].to_string(),
        Side::Black => (file + 1).to_string(),
    }
}

const fn english(kind: PieceKind) -> &'static str {
    ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"][kind.index()]
}

/// What a group means to the side it favours, in the order of [`Language::ALL`]: `{own}` and `{other}` are the sides,
/// `{piece}` and `{target}` what the dearest reason is about, `{list}` the balance of material.
fn template(group: &str) -> [&'static str; 3] {
    match group {
        "material" => ["{own} is up {list}", "{own}多{list}", "{own}多{list}"],
        "placement" => ["{own}'s pieces stand better", "{own}子力位置較好", "{own}子力位置较好"],
        "mobility" => ["{own}'s pieces are more mobile", "{own}子力較靈活", "{own}子力较灵活"],
        "horse, half-free points" | "horse, denied points" => {
            ["{other}'s horses are more restricted", "{other}馬較受制", "{other}马较受制"]
        }
        "steps of guards and soldiers" => {
            ["{own}'s guards and soldiers have more moves", "{own}士象兵走步較多", "{own}士象兵走步较多"]
        }
        "control near the general" => {
            ["{own} controls more points near the general", "{own}控制更多要點", "{own}控制更多要点"]
        }
        "palace attack" | "partners in attack" => [
            "{own} attacks the palace with more pieces",
            "{own}進攻九宮的子力較多",
            "{own}进攻九宫的子力较多",
        ],
        "safe checks" => ["{own} has more safe checks", "{own}有更多安全的將軍", "{own}有更多安全的将军"],
        "freedom of the general" => {
            ["{other}'s general has fewer points to go to", "{other}將帥較受困", "{other}将帅较受困"]
        }
        "weak point beside the general" => {
            ["{other}'s general has weak points beside it", "{other}將帥旁有弱點", "{other}将帅旁有弱点"]
        }
        "hollow cannon 空頭炮" => {
            ["{own}'s {piece} is a hollow cannon", "{own}{piece}成空頭炮", "{own}{piece}成空头炮"]
        }
        "cannon over two 當頭炮" => [
            "{own}'s {piece} bears on the general over two pieces",
            "{own}{piece}隔兩子鎮住將帥",
            "{own}{piece}隔两子镇住将帅",
        ],
        "bottom cannon 沉底炮" => {
            ["{own}'s {piece} holds the back rank", "{own}{piece}沉底", "{own}{piece}沉底"]
        }
        "pins 栓鍊" => {
            ["{own}'s {piece} pins {target}", "{own}{piece}栓住{target}", "{own}{piece}拴住{target}"]
        }
        "threats" => ["{own} attacks {target}", "{own}捉{target}", "{own}捉{target}"],
        "protection" => ["{own}'s pieces are better protected", "{own}子力較多有根", "{own}子力较多有根"],
        "crossed soldiers" | "standing of soldiers" | "soldiers in attack" => {
            ["{own}'s soldiers stand better", "{own}兵卒位置較好", "{own}兵卒位置较好"]
        }
        "guards under attack" => {
            ["{own}'s guards hold against the attack", "{own}士象抵擋進攻", "{own}士象抵挡进攻"]
        }
        "linked soldiers 牽手兵" => {
            ["{own}'s soldiers stand side by side", "{own}有牽手兵", "{own}有牵手兵"]
        }
        "pieces massed on a wing 多子歸邊" => {
            ["{own} masses pieces on one wing", "{own}多子歸邊", "{own}多子归边"]
        }
        "kinds together" => ["{own}'s pieces work together better", "{own}兵種配合較好", "{own}兵种配合较好"],
        "kinds against each other" => {
            ["{own}'s pieces suit what is left better", "{own}子力對比有利", "{own}子力对比有利"]
        }
        "missing guards 缺士怕雙車, 缺象怕炮" => [
            "{other} lacks guards against {own}'s attackers",
            "{other}缺士象，怕{own}車炮",
            "{other}缺士象，怕{own}车炮",
        ],
        "tempo" => ["{own} is to move", "輪到{own}走", "轮到{own}走"],
        "horse choked under a cannon 炮鎮窩心馬" | "horse choked under two cannons 雙炮鎮窩心馬" => {
            [
                "{own}'s {piece} chokes the horse in the palace",
                "{own}{piece}鎮住窩心馬",
                "{own}{piece}镇住窝心马",
            ]
        }
        "iron bolt 鐵門閂" => {
            ["{own}'s {piece} threatens an iron bolt", "{own}{piece}成鐵門閂", "{own}{piece}成铁门闩"]
        }
        "linked horses 連環馬" => ["{own}'s horses protect each other", "{own}有連環馬", "{own}有连环马"],
        "cannons carried on a pole 擔子炮" => {
            ["{own}'s cannons protect each other", "{own}有擔子炮", "{own}有担子炮"]
        }
        "twin chariots 霸王車" => {
            ["{own}'s chariots protect each other", "{own}有霸王車", "{own}有霸王车"]
        }
        "high elephant blocks a horse 高象" => {
            ["{own}'s elephant blocks a horse", "{own}高象絆馬", "{own}高象绊马"]
        }
        "won by material" => ["{own} wins by the books", "{own}例勝", "{own}例胜"],
        _ => ["", "", ""],
    }
}

/// What a group means to the side that it speaks against, where both sides are measured by the same thing.
fn drawback(group: &str) -> Option<[&'static str; 3]> {
    Some(match group {
        "placement" => ["{other}'s pieces stand badly", "{other}子力位置較差", "{other}子力位置较差"],
        "mobility" => ["{other}'s pieces lack mobility", "{other}子力受制", "{other}子力受制"],
        "steps of guards and soldiers" => [
            "{other}'s guards and soldiers are short of moves",
            "{other}士象兵走步較少",
            "{other}士象兵走步较少",
        ],
        "protection" => ["{other}'s pieces lack protection", "{other}子力較多無根", "{other}子力较多无根"],
        "crossed soldiers" | "standing of soldiers" | "soldiers in attack" => {
            ["{other}'s soldiers stand badly", "{other}兵卒位置較差", "{other}兵卒位置较差"]
        }
        "guards under attack" => ["{other}'s guards are under attack", "{other}士象受攻", "{other}士象受攻"],
        "kinds together" => {
            ["{other}'s pieces work together badly", "{other}兵種配合較差", "{other}兵种配合较差"]
        }
        "kinds against each other" => {
            ["{other}'s pieces do not suit what is left", "{other}子力對比不利", "{other}子力对比不利"]
        }
        _ => return None,
    })
}

/// Whether words name what the side suffers against which they speak.
fn is_about_other(template: &str) -> bool {
    template.starts_with("{other}")
}

#[cfg(test)]
mod tests {
    use chuhe_eval::classical::Feature;

    use super::*;

    fn sentences(fen: &str) -> [String; 3] {
        let position: Position = fen.parse().unwrap();
        Evaluation::of(&position).sentences(&position)
    }

    #[test]
    fn every_group_has_words_in_every_language() {
        for feature in Feature::all() {
            assert!(template(feature.name()).iter().all(|words| !words.is_empty()), "{}", feature.name());
        }
    }

    #[test]
    fn the_balance_of_material_is_told() {
        // Red has a horse more and two soldiers fewer.
        let fen = "rnbakab1r/9/1c5c1/p1p1p1p1p/9/9/P1P5P/1C5C1/9/RNBAKABNR w";
        let [english, traditional, simplified] = sentences(fen);
        assert!(english.contains("Red is up a horse for two soldiers (+"), "{english}");
        assert!(traditional.contains("紅方多一馬，少二卒（+"), "{traditional}");
        assert!(simplified.contains("红方多一马，少二卒（+"), "{simplified}");
        assert!(
            sentences("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
                .iter()
                .all(|text| !text.contains('{'))
        );
    }

    #[test]
    fn what_a_side_suffers_is_told_of_that_side_with_a_minus() {
        // A soldier on the last rank: Black has nothing that could stand better.
        let [english, traditional, _] = sentences("3P5/4k4/9/9/9/9/9/9/9/3K5 w");
        assert!(english.contains("Red's pieces stand badly (−"), "{english}");
        assert!(english.contains("Red's soldiers stand badly (−"), "{english}");
        assert!(traditional.contains("紅方兵卒位置較差（−"), "{traditional}");
    }

    #[test]
    fn nothing_is_told_of_pieces_that_a_side_lacks() {
        let kinds = [
            ("soldiers", &[PieceKind::Soldier][..]),
            ("horses", &[PieceKind::Horse]),
            ("cannons", &[PieceKind::Cannon]),
            ("chariots", &[PieceKind::Chariot]),
            ("guards", &[PieceKind::Advisor, PieceKind::Elephant]),
        ];
        for position in endings() {
            let [english, ..] = Evaluation::of(&position).sentences(&position);
            for clause in english.split("; ") {
                let side = if clause.starts_with("Red") { Side::Red } else { Side::Black };
                let Some((_, possession)) = clause.split_once("'s ") else { continue };
                for (word, kinds) in kinds {
                    let has_any = kinds.iter().any(|kind| !position.pieces_of(side, *kind).is_empty());
                    assert!(has_any || !possession.starts_with(word), "{position}: {english}");
                }
            }
        }
    }

    /// Positions of games at random in which every capture is made, down to bare generals.
    fn endings() -> Vec<Position> {
        let mut positions = Vec::new();
        for game in 0..40_usize {
            let mut position = Position::start();
            for ply in 0..160 {
                let moves = position.moves();
                let captures: Vec<_> =
                    moves.iter().filter(|mv| position.piece_on(mv.to()).is_some()).copied().collect();
                let choice = if captures.is_empty() { &moves[..] } else { &captures };
                let Some(mv) = choice.get((game * 31 + ply * 17) % choice.len().max(1)) else { break };
                let _ = position.play(*mv, &mut ());
                positions.push(position.clone());
            }
        }
        positions
    }

    #[test]
    fn a_lost_piece_explains_a_mistake() {
        let start = Position::start();
        let without_horse: Position =
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKAB1R w".parse().unwrap();
        let [whole, less] = [&start, &without_horse].map(Evaluation::of);
        let [english, traditional, _] = less.losses_against(Side::Red, &whole, &without_horse);
        assert!(english.starts_with("Black is up a horse (+"), "{english}");
        assert!(traditional.starts_with("黑方多一馬"), "{traditional}");
        let [of_black, ..] = less.losses_against(Side::Black, &whole, &without_horse);
        assert!(!of_black.contains("is up"), "{of_black}");
        assert_eq!(whole.losses_against(Side::Red, &whole, &start), ["", "", ""]);
    }

    #[test]
    fn files_are_counted_by_their_side() {
        assert_eq!(
            [file_number(7, Side::Red), file_number(7, Side::Black)],
            ["二".to_owned(), "8".to_owned()]
        );
    }
}
