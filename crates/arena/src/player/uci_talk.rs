//! Talking to engines over UCI and UCCI.

use std::time::{Duration, Instant};

use chuhe_board::Position;
use chuhe_board::coords::RankStyle;
use chuhe_protocol::{
    Clock, Clocks, Command, Go, OptionDeclaration, OptionKind, Protocol, Reply, ReplyError, ucci, uci,
};

use super::{Answer, HANDSHAKE, Progress, Question, StartError, Talk};
use crate::EngineSpec;
use crate::process::{Process, Silence};

/// The option by which engines of many games are told which one to play.
const VARIANT_OPTION: &str = "UCI_Variant";
const XIANGQI: &str = "xiangqi";

/// Talks UCI or UCCI.
pub(super) struct UciTalk {
    protocol: Protocol,
}

impl UciTalk {
    pub(super) fn new(protocol: Protocol) -> Self {
        Self { protocol }
    }

    fn say(&self, process: &mut Process, ranks: RankStyle, command: &Command) -> Result<(), Silence> {
        let line = match self.protocol {
            Protocol::Ucci => ucci::write_command(command, ranks),
            _ => uci::write_command(command, ranks),
        };
        process.say(&line.expect("the arena asks only what the protocol can say"))
    }

    fn parse(&self, line: &str, ranks: RankStyle) -> Result<Reply, ReplyError> {
        match self.protocol {
            Protocol::Ucci => ucci::parse_reply(line, ranks),
            _ => uci::parse_reply(line, ranks),
        }
    }

    /// Waits for `readyok`.
    fn synchronise(&self, process: &mut Process, spec: &EngineSpec) -> Result<(), Silence> {
        self.say(process, spec.ranks, &Command::IsReady)?;
        let deadline = Instant::now() + spec.patience;
        loop {
            let heard = process.hear(deadline)?;
            if self.parse(&heard.line, spec.ranks) == Ok(Reply::ReadyOk) {
                return Ok(());
            }
        }
    }

    /// Says hello and collects the options.
    fn shake_hands(
        &self,
        process: &mut Process,
        spec: &EngineSpec,
    ) -> Result<Vec<OptionDeclaration>, StartError> {
        let waited = HANDSHAKE.min(spec.patience);
        let failed = |silence, process: &mut Process| match silence {
            Silence::Closed => StartError::Ended(process.last_words()),
            Silence::Timeout => {
                let expected = if self.protocol == Protocol::Ucci { "ucciok" } else { "uciok" };
                StartError::NoHandshake { expected, protocol: self.protocol, waited }
            }
        };
        self.say(process, spec.ranks, &Command::Handshake).map_err(|silence| failed(silence, process))?;
        let deadline = Instant::now() + waited;
        let mut options = Vec::new();
        loop {
            let heard = process.hear(deadline).map_err(|silence| failed(silence, process))?;
            match self.parse(&heard.line, spec.ranks) {
                Ok(Reply::Option(option)) => options.push(option),
                Ok(Reply::Ok) => return Ok(options),
                _ => {}
            }
        }
    }

    fn go(&self, question: &Question<'_>) -> Go {
        let limits = question.limits;
        let [red, black] = question.clocks.map(Option::unwrap_or_default);
        let own = question.own_clock();
        let (clocks, move_time) = match self.protocol {
            Protocol::Ucci => {
                let side = question.position.side_to_move();
                let opponent = question.clocks[side.opponent().index()].unwrap_or_default();
                // UCCI has no fixed time a move; a clock for one move is the same.
                let one_move =
                    |time| Clock { left: Some(time), increment: Duration::ZERO, moves_to_go: Some(1) };
                let own = own.or(limits.move_time.map(one_move));
                (own.map(|own| Clocks::ByTurn { own, opponent }), None)
            }
            _ => (own.map(|_| Clocks::BySide { red, black }), limits.move_time),
        };
        Go { clocks, move_time, nodes: limits.nodes, depth: limits.depth, ..Go::default() }
    }
}

impl Talk for UciTalk {
    fn open(&mut self, process: &mut Process, spec: &EngineSpec) -> Result<Vec<String>, StartError> {
        let declared = self.shake_hands(process, spec)?;
        let mut settings = spec.options.clone();
        if let Some(variant) = find(&declared, VARIANT_OPTION).filter(|_| self.protocol == Protocol::Uci) {
            if let OptionKind::Combo { choices, .. } = &variant.kind
                && !choices.iter().any(|choice| choice == XIANGQI)
            {
                return Err(StartError::Variant(choices.join(", ")));
            }
            if !settings.iter().any(|(name, _)| name.eq_ignore_ascii_case(VARIANT_OPTION)) {
                settings.insert(0, (VARIANT_OPTION.to_owned(), XIANGQI.to_owned()));
            }
        }
        if self.protocol == Protocol::Ucci && find(&declared, "usemillisec").is_some() {
            settings.insert(0, ("usemillisec".to_owned(), "true".to_owned()));
        }
        let oddities = settings.iter().filter_map(|(name, value)| oddity(&declared, name, value)).collect();
        let speak = || {
            for (name, value) in settings {
                let is_button =
                    matches!(find(&declared, &name), Some(option) if option.kind == OptionKind::Button);
                let value = (!is_button).then_some(value);
                self.say(process, spec.ranks, &Command::SetOption { name, value })?;
            }
            for line in &spec.init {
                process.say(line)?;
            }
            self.synchronise(process, spec)
        };
        match speak() {
            Ok(()) => Ok(oddities),
            Err(Silence::Closed) => Err(StartError::Ended(process.last_words())),
            Err(Silence::Timeout) => Err(StartError::NoHandshake {
                expected: "readyok",
                protocol: self.protocol,
                waited: spec.patience,
            }),
        }
    }

    fn new_game(&mut self, process: &mut Process, spec: &EngineSpec, _: &Position) -> Result<(), Silence> {
        self.say(process, spec.ranks, &Command::NewGame)?;
        self.synchronise(process, spec)
    }

    fn ask(
        &mut self,
        process: &mut Process,
        spec: &EngineSpec,
        question: &Question<'_>,
    ) -> Result<(), Silence> {
        self.say(process, spec.ranks, &Command::Position(question.line.clone()))?;
        self.say(process, spec.ranks, &Command::Go(self.go(question)))
    }

    fn understand(&mut self, ranks: RankStyle, line: &str, progress: &mut Progress) -> Option<Answer> {
        match self.parse(line, ranks) {
            Ok(Reply::Info(info)) => {
                if info.multi_pv.is_none_or(|number| number == 1) && info.score.is_some() {
                    *progress = Progress { depth: info.depth, score: info.score, nodes: info.nodes };
                }
                None
            }
            Ok(Reply::BestMove(best)) if best.resign => Some(Answer::Resign),
            Ok(Reply::BestMove(best)) => Some(Answer::Move(best.mv)),
            Ok(Reply::NoBestMove) if self.protocol == Protocol::Ucci => Some(Answer::NoMove),
            Ok(Reply::NoBestMove) => Some(Answer::Resign),
            Err(ReplyError::Move(error)) => Some(Answer::Unreadable(error.to_string())),
            Err(error @ ReplyError::Missing { reply: "bestmove", .. }) => {
                Some(Answer::Unreadable(error.to_string()))
            }
            _ => None,
        }
    }

    fn settle(&mut self, _: &mut Process, _: &EngineSpec) -> Result<(), Silence> {
        Ok(())
    }

    fn hurry(&mut self, process: &mut Process) -> Result<(), Silence> {
        self.say(process, RankStyle::FromZero, &Command::Stop)
    }
}

fn find<'a>(declared: &'a [OptionDeclaration], name: &str) -> Option<&'a OptionDeclaration> {
    declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// What is odd about setting an option to a value, if anything.
fn oddity(declared: &[OptionDeclaration], name: &str, value: &str) -> Option<String> {
    match find(declared, name) {
        None => Some(format!("it declares no option '{name}'")),
        Some(option) if option.kind == OptionKind::Button || option.kind.accepts(Some(value)) => None,
        Some(_) => Some(format!("'{value}' is no value for its option '{name}'")),
    }
}
