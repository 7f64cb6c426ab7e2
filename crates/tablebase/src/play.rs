//! The tables as everyone uses them who plays by repetition rules: search, matches, server and app.
//!
//! Two probers stand side by side: tables without repetition rules, and those that know the rules of play. What a value proves
//! about a game is decided here and nowhere else.

use std::sync::Arc;

use chuhe_board::{Move, Position};

use crate::Material;
use crate::file::{FileError, TableFile};
use crate::folder::Folder;
use crate::kind::{Kind, Rules};
use crate::probe::Prober;
use crate::solve::repetition::RULE_DISTANCE;
use crate::value::Value;

/// DTM tables for play by some repetition rules.
#[derive(Clone)]
pub struct PlayTables {
    rules: Rules,
    plain: Arc<Prober>,
    /// Tables with attackers on both sides that know the rules of play.
    judged: Arc<Prober>,
}

/// The value of a position, and the rules that it holds under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuledValue {
    /// The value.
    pub value: Value,
    /// The rules.
    pub rules: ValidFor,
}

/// The repetition rules under which the values of a table hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidFor {
    /// All: one side has no attackers.
    All,
    /// These.
    Only(Rules),
}

impl ValidFor {
    /// `all`, or the name of the rules; `none` for tables without repetition rules.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Only(rules) => rules.name(),
        }
    }

    /// Which rules the values of a table of this kind hold under.
    pub fn of(material: &Material, rules: Rules) -> Self {
        if material.both_attack() { Self::Only(rules) } else { Self::All }
    }
}

impl PlayTables {
    /// The tables in a folder and those built in, for play by `rules`. Also returns the errors of files that cannot be used.
    pub fn open(folder: &Folder, rules: Rules) -> (Self, Vec<FileError>) {
        let (plain, mut faults) = Prober::open(folder, Kind::default());
        let plain = Arc::new(plain.with_built_in(Kind::default()));
        let (judged, more) = judged_by(folder, rules);
        // A folder that cannot be listed is reported once.
        faults.extend(more.into_iter().filter(|fault| fault.path() != folder.path()));
        (Self { rules, plain, judged }, faults)
    }

    /// The same tables for play by other rules; files that cannot be used are left out.
    #[must_use]
    pub fn under(&self, folder: Option<&Folder>, rules: Rules) -> Self {
        let judged = folder.map_or_else(|| Arc::new(Prober::none()), |folder| judged_by(folder, rules).0);
        Self { rules, plain: Arc::clone(&self.plain), judged }
    }

    /// The built-in tables alone.
    pub fn built_in(rules: Rules) -> Self {
        let plain = Arc::new(Prober::none().with_built_in(Kind::default()));
        Self { rules, plain, judged: Arc::new(Prober::none()) }
    }

    /// The rules of play.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The number of tables, without and with repetition rules.
    pub fn counts(&self) -> (usize, usize) {
        (self.plain.tables(), self.judged.tables())
    }

    /// The most pieces of any table, generals included.
    pub fn most_pieces(&self) -> u32 {
        self.plain.most_pieces().max(self.judged.most_pieces())
    }

    /// Whether an endgame has a table or needs none.
    pub fn knows(&self, material: &Material) -> bool {
        material.is_harmless() || self.plain.contains(material) || self.judged.contains(material)
    }

    /// Whether an endgame has a table that holds under the rules of play, or needs none.
    pub fn knows_by_rules(&self, material: &Material) -> bool {
        let needs_rules = material.both_attack() && self.rules != Rules::Plain;
        let prober = if needs_rules { &self.judged } else { &self.plain };
        material.is_harmless() || prober.contains(material)
    }

    /// Whether the table of an endgame is the one built into the program.
    pub fn is_built_in(&self, material: &Material) -> bool {
        self.file(material).is_some_and(TableFile::is_built_in)
    }

    /// The file of an endgame: the one that knows the rules of play, or else the one without repetition rules.
    pub fn file(&self, material: &Material) -> Option<&TableFile> {
        self.judged.file(material).or_else(|| self.plain.file(material))
    }

    /// The value of a legal position by the best table there is: one that holds under the rules of play, or else one without
    /// repetition rules.
    pub fn probe(&self, position: &Position) -> Option<RuledValue> {
        self.by_rules(position).or_else(|| self.without_rules(position))
    }

    /// The values of a position and of all its moves, for the side to move, by the same kind of table. `None` if one of
    /// them is unknown.
    pub fn probe_moves(&self, position: &Position) -> Option<(RuledValue, Vec<(Move, Value)>)> {
        self.moves_by(position, Self::by_rules).or_else(|| self.moves_by(position, Self::without_rules))
    }

    fn moves_by(
        &self,
        position: &Position,
        probe: fn(&Self, &Position) -> Option<RuledValue>,
    ) -> Option<(RuledValue, Vec<(Move, Value)>)> {
        let value = probe(self, position)?;
        let mut after = position.clone();
        let mut moves = Vec::new();
        for mv in position.moves() {
            let undo = after.play(mv, &mut ());
            moves.push((mv, probe(self, &after)?.value.before()));
            after.take_back(undo, &mut ());
        }
        Some((value, moves))
    }

    /// The value under the rules of play, if a table knows it.
    fn by_rules(&self, position: &Position) -> Option<RuledValue> {
        let rules = ValidFor::of(&Material::of(position), self.rules);
        let prober = if rules == ValidFor::All { &self.plain } else { &self.judged };
        Some(RuledValue { value: prober.probe(position)?, rules })
    }

    fn without_rules(&self, position: &Position) -> Option<RuledValue> {
        let rules = ValidFor::of(&Material::of(position), Rules::Plain);
        Some(RuledValue { value: self.plain.probe(position)?, rules })
    }

    /// What is proved about a position under the rules of play: a win or loss with its distance, or a draw.
    ///
    /// Tables without repetition rules prove wins and losses under any rules: the winner comes nearer to the end with every
    /// move and need not repeat. Their draws are proved only if one side has no attackers; else they may rest on a
    /// repetition that the rules forbid. Wins by the repetition rules have no distance and are left to the referee.
    pub fn certain(&self, position: &Position) -> Option<Value> {
        match self.plain.probe(position) {
            Some(value @ (Value::Win(_) | Value::Loss(_))) => return Some(value),
            Some(Value::Draw) if !Material::of(position).both_attack() => return Some(Value::Draw),
            Some(Value::Draw | Value::DependsOnChase(_)) | None => {}
        }
        self.judged.probe(position).filter(|value| match value {
            Value::Draw => true,
            Value::Win(plies) | Value::Loss(plies) => *plies < RULE_DISTANCE,
            Value::DependsOnChase(_) => false,
        })
    }
}

/// The tables in a folder that know these rules, and the errors of files that cannot be used.
fn judged_by(folder: &Folder, rules: Rules) -> (Arc<Prober>, Vec<FileError>) {
    if rules == Rules::Plain {
        return (Arc::new(Prober::none()), Vec::new());
    }
    let (judged, faults) = Prober::open_exactly(folder, Kind { rules, ..Kind::default() });
    (Arc::new(judged), faults)
}
