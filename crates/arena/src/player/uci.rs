//! The UCI and UCCI client.

use std::time::{Duration, Instant};

use chuhe_board::Position;
use chuhe_board::coords::RankStyle;
use chuhe_protocol::{
    Clock, Clocks, Command, Go, OptionDeclaration, OptionKind, Protocol, Reply, ReplyError, ucci, uci,
};

use super::{Answer, HANDSHAKE, Progress, ProtocolClient, Question, StartError};
use crate::EngineSpec;
use crate::process::{Process, ReadError};

/// The option that selects the game in engines that play several.
const VARIANT_OPTION: &str = "UCI_Variant";
/// The option that sets how many lines an engine reports.
const MULTI_PV_OPTION: &str = "MultiPV";
const XIANGQI: &str = "xiangqi";

/// Drives an engine over UCI or UCCI.
pub(crate) struct UciClient {
    protocol: Protocol,
    /// The number of lines to search, set if the engine has the option.
    multi_pv: Option<usize>,
}

impl UciClient {
    pub(crate) fn new(protocol: Protocol) -> Self {
        Self { protocol, multi_pv: None }
    }

    pub(crate) fn with_multi_pv(self, lines: usize) -> Self {
        Self { multi_pv: Some(lines), ..self }
    }

    fn send(&self, process: &mut Process, ranks: RankStyle, command: &Command) -> Result<(), ReadError> {
        let line = match self.protocol {
            Protocol::Ucci => ucci::write_command(command, ranks),
            _ => uci::write_command(command, ranks),
        };
        process.send(&line.expect("the arena sends only commands that the protocol has"))
    }

    pub(crate) fn parse(&self, line: &str, ranks: RankStyle) -> Result<Reply, ReplyError> {
        match self.protocol {
            Protocol::Ucci => ucci::parse_reply(line, ranks),
            _ => uci::parse_reply(line, ranks),
        }
    }

    /// Waits for `readyok`.
    fn synchronise(&self, process: &mut Process, spec: &EngineSpec) -> Result<(), ReadError> {
        self.send(process, spec.ranks, &Command::IsReady)?;
        let deadline = Instant::now() + spec.patience;
        loop {
            let received = process.receive(deadline)?;
            if self.parse(&received.line, spec.ranks) == Ok(Reply::ReadyOk) {
                return Ok(());
            }
        }
    }

    /// Opens the protocol and collects the options.
    fn shake_hands(
        &self,
        process: &mut Process,
        spec: &EngineSpec,
    ) -> Result<Vec<OptionDeclaration>, StartError> {
        let waited = HANDSHAKE.min(spec.patience);
        let failed = |error, process: &mut Process| match error {
            ReadError::Closed => StartError::Ended(process.exit_description()),
            ReadError::Timeout => {
                let expected = if self.protocol == Protocol::Ucci { "ucciok" } else { "uciok" };
                StartError::NoHandshake { expected, protocol: self.protocol, waited }
            }
        };
        self.send(process, spec.ranks, &Command::Handshake).map_err(|error| failed(error, process))?;
        let deadline = Instant::now() + waited;
        let mut options = Vec::new();
        loop {
            let received = process.receive(deadline).map_err(|error| failed(error, process))?;
            match self.parse(&received.line, spec.ranks) {
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
                // UCCI has no time per move; a clock for one move is equivalent.
                let one_move =
                    |time| Clock { left: Some(time), increment: Duration::ZERO, moves_to_go: Some(1) };
                let own = own.or(limits.move_time.map(one_move));
                (own.map(|own| Clocks::ByTurn { own, opponent }), None)
            }
            _ => (own.map(|_| Clocks::BySide { red, black }), limits.move_time),
        };
        Go { clocks, move_time, nodes: limits.nodes, depth: limits.depth, ..Go::default() }
    }

    /// Completes the handshake and sets the options; returns warnings about them.
    pub(crate) fn configure(
        &self,
        process: &mut Process,
        spec: &EngineSpec,
    ) -> Result<Vec<String>, StartError> {
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
        // The openings of a match come from its runner.
        if self.protocol == Protocol::Ucci && find(&declared, "usebook").is_some() {
            settings.insert(0, ("usebook".to_owned(), "false".to_owned()));
        }
        if let Some(option) = find(&declared, MULTI_PV_OPTION)
            && let Some(lines) = self.multi_pv
        {
            settings.push((option.name.clone(), lines.to_string()));
        }
        let warnings =
            settings.iter().filter_map(|(name, value)| option_warning(&declared, name, value)).collect();
        let set_options = || {
            for (name, value) in settings {
                let is_button =
                    matches!(find(&declared, &name), Some(option) if option.kind == OptionKind::Button);
                let value = (!is_button).then_some(value);
                self.send(process, spec.ranks, &Command::SetOption { name, value })?;
            }
            for line in &spec.init {
                process.send(line)?;
            }
            self.synchronise(process, spec)
        };
        match set_options() {
            Ok(()) => Ok(warnings),
            Err(ReadError::Closed) => Err(StartError::Ended(process.exit_description())),
            Err(ReadError::Timeout) => Err(StartError::NoHandshake {
                expected: "readyok",
                protocol: self.protocol,
                waited: spec.patience,
            }),
        }
    }

    /// Sends the position and starts the search.
    pub(crate) fn start_search(
        &self,
        process: &mut Process,
        spec: &EngineSpec,
        question: &Question<'_>,
    ) -> Result<(), ReadError> {
        self.send(process, spec.ranks, &Command::Position(question.line.clone()))?;
        self.send(process, spec.ranks, &Command::Go(self.go(question)))
    }
}

impl ProtocolClient for UciClient {
    fn handshake(&mut self, process: &mut Process, spec: &EngineSpec) -> Result<Vec<String>, StartError> {
        self.configure(process, spec)
    }

    fn new_game(&mut self, process: &mut Process, spec: &EngineSpec, _: &Position) -> Result<(), ReadError> {
        self.send(process, spec.ranks, &Command::NewGame)?;
        self.synchronise(process, spec)
    }

    fn start_search(
        &mut self,
        process: &mut Process,
        spec: &EngineSpec,
        question: &Question<'_>,
    ) -> Result<(), ReadError> {
        Self::start_search(self, process, spec, question)
    }

    fn parse_answer(&mut self, ranks: RankStyle, line: &str, progress: &mut Progress) -> Option<Answer> {
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

    fn end_turn(&mut self, _: &mut Process, _: &EngineSpec) -> Result<(), ReadError> {
        Ok(())
    }

    fn stop(&mut self, process: &mut Process) -> Result<(), ReadError> {
        self.send(process, RankStyle::FromZero, &Command::Stop)
    }
}

fn find<'a>(declared: &'a [OptionDeclaration], name: &str) -> Option<&'a OptionDeclaration> {
    declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// A warning about setting an option to a value, if there is reason for one.
fn option_warning(declared: &[OptionDeclaration], name: &str, value: &str) -> Option<String> {
    match find(declared, name) {
        None => Some(format!("it declares no option '{name}'")),
        Some(option) if option.kind == OptionKind::Button || option.kind.accepts(Some(value)) => None,
        Some(_) => Some(format!("'{value}' is not a value of its option '{name}'")),
    }
}
