//! The types of the API in TypeScript: `web/src/api/types.ts` is written from here and compared here.

use std::path::Path;

use chuhe_collection::{Found, GameSummary};
use chuhe_report::ScoreJson as JudgedScore;
use chuhe_report::analyse::{GameAnalysis, MoveAnalysis, PhaseAccuracy, SideSummary, Sides, VerdictTexts};
use chuhe_report::explore::{
    ExploredMove, ExploredPosition, NameJson, NamedPly, OpeningJson, TermJson, WayJson,
};
use chuhe_report::verdict::{LinkJson, PlacedJson, ReasonJson, VerdictJson};
use ts_rs::{Config, TS};

use crate::api::about::About;
use crate::api::games::{GamesAnswer, GamesRequest};
use crate::api::opening::{GamesOf, ModelGame, OpeningGames, OpeningGamesRequest, PlayedMove};
use crate::api::records::{Contest, RecordAnswer, RecordFile};
use crate::api::rival::{RivalAnswer, RivalRequest};
use crate::error::ErrorJson;
use crate::library::GameSource;
use crate::tables::BuildState;
use chuhe_api::banqi::{BanqiAnswer, BanqiGame, BanqiOutcome, BanqiRequest, BanqiThink, BanqiView, FlipOdds};
use chuhe_api::endgame::{
    EndgameMove, EndgameRequest, EndgameValue, EndgameView, MissingTable, TableRequest,
};
use chuhe_api::endings::Ending;
use chuhe_api::explain::{ExplainRequest, ExplainedGroup, ExplainedReason, ExplainedSummary, Explanation};
use chuhe_api::explore::{ExploreRequest, Explored, Find, FoundPosition};
use chuhe_api::live::{BookPolicy, ClientMessage, LineJson, ScoreJson, ServerMessage};
use chuhe_api::longest::{LongestWin, LongestWins};
use chuhe_api::opening::OpeningRequest;
use chuhe_api::position::{PositionRequest, PositionView, VerdictView};
use chuhe_api::puzzles::{Puzzle, PuzzleGoal};
use chuhe_api::read::{BatchAnswer, BatchGame, Heading, NodeJson, ReadAnswer, RecordJson};
use chuhe_api::report::Effort;
use chuhe_api::wire::{GameJson, MoveJson, SideJson};
use chuhe_api::write::{WrittenGame, WrittenNode};
use chuhe_api::{Arg, Key, Notice};

const HEAD: &str = "\
// The types of the API, written by `make web-types` from crates/server. Do not edit.

";

fn declared<T: TS>(text: &mut String) {
    let config = Config::default();
    if let Some(docs) = T::docs() {
        text.push_str(&docs);
    }
    text.push_str(&format!("export {}\n\n", T::decl(&config)));
}

fn all() -> String {
    let mut text = HEAD.to_owned();
    declared::<SideJson>(&mut text);
    declared::<MoveJson>(&mut text);
    declared::<GameJson>(&mut text);
    declared::<ErrorJson>(&mut text);
    declared::<Notice>(&mut text);
    declared::<Arg>(&mut text);
    declared::<Key>(&mut text);
    declared::<About>(&mut text);
    declared::<PositionRequest>(&mut text);
    declared::<PositionView>(&mut text);
    declared::<VerdictView>(&mut text);
    declared::<VerdictJson>(&mut text);
    declared::<ReasonJson>(&mut text);
    declared::<LinkJson>(&mut text);
    declared::<PlacedJson>(&mut text);
    declared::<ExplainRequest>(&mut text);
    declared::<Explanation>(&mut text);
    declared::<ExplainedSummary>(&mut text);
    declared::<ExplainedGroup>(&mut text);
    declared::<ExplainedReason>(&mut text);
    declared::<PuzzleGoal>(&mut text);
    declared::<Puzzle>(&mut text);
    declared::<RivalRequest>(&mut text);
    declared::<RivalAnswer>(&mut text);
    declared::<ReadAnswer>(&mut text);
    declared::<BatchAnswer>(&mut text);
    declared::<BatchGame>(&mut text);
    declared::<Heading>(&mut text);
    declared::<RecordJson>(&mut text);
    declared::<NodeJson>(&mut text);
    declared::<WrittenGame>(&mut text);
    declared::<WrittenNode>(&mut text);
    declared::<ClientMessage>(&mut text);
    declared::<BookPolicy>(&mut text);
    declared::<Effort>(&mut text);
    declared::<ServerMessage>(&mut text);
    declared::<LineJson>(&mut text);
    declared::<ScoreJson>(&mut text);
    declared::<OpeningRequest>(&mut text);
    declared::<ExploredPosition>(&mut text);
    declared::<ExploredMove>(&mut text);
    declared::<OpeningJson>(&mut text);
    declared::<NameJson>(&mut text);
    declared::<NamedPly>(&mut text);
    declared::<TermJson>(&mut text);
    declared::<WayJson>(&mut text);
    declared::<OpeningGamesRequest>(&mut text);
    declared::<GamesOf>(&mut text);
    declared::<OpeningGames>(&mut text);
    declared::<PlayedMove>(&mut text);
    declared::<ModelGame>(&mut text);
    declared::<GameSource>(&mut text);
    declared::<EndgameRequest>(&mut text);
    declared::<EndgameView>(&mut text);
    declared::<EndgameValue>(&mut text);
    declared::<EndgameMove>(&mut text);
    declared::<MissingTable>(&mut text);
    declared::<TableRequest>(&mut text);
    declared::<BuildState>(&mut text);
    declared::<LongestWins>(&mut text);
    declared::<LongestWin>(&mut text);
    declared::<ExploreRequest>(&mut text);
    declared::<Find>(&mut text);
    declared::<Explored>(&mut text);
    declared::<FoundPosition>(&mut text);
    declared::<Ending>(&mut text);
    declared::<BanqiGame>(&mut text);
    declared::<BanqiRequest>(&mut text);
    declared::<BanqiView>(&mut text);
    declared::<FlipOdds>(&mut text);
    declared::<BanqiOutcome>(&mut text);
    declared::<BanqiThink>(&mut text);
    declared::<BanqiAnswer>(&mut text);
    declared::<GamesRequest>(&mut text);
    declared::<GamesAnswer>(&mut text);
    declared::<Found>(&mut text);
    declared::<GameSummary>(&mut text);
    declared::<RecordFile>(&mut text);
    declared::<RecordAnswer>(&mut text);
    declared::<Contest>(&mut text);
    declared::<GameAnalysis>(&mut text);
    declared::<VerdictTexts>(&mut text);
    declared::<Sides>(&mut text);
    declared::<SideSummary>(&mut text);
    declared::<PhaseAccuracy>(&mut text);
    declared::<JudgedScore>(&mut text);
    declared::<MoveAnalysis>(&mut text);
    text.trim_end().to_owned() + "\n"
}

#[test]
fn the_browser_knows_the_same_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/api/types.ts");
    if std::env::var_os("CHUHE_WRITE_TYPES").is_some() {
        std::fs::write(&path, all()).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(known == all(), "web/src/api/types.ts is out of date: run `make web-types`");
}
