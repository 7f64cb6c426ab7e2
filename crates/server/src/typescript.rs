//! The types of the API in TypeScript: `web/src/api/types.ts` is written from here and compared here.

use std::path::Path;

use chuhe_report::verdict::{LinkJson, PlacedJson, ReasonJson, VerdictJson};
use ts_rs::{Config, TS};

use crate::api::about::About;
use crate::api::explain::{ExplainRequest, ExplainedGroup, ExplainedReason, Explanation};
use crate::api::position::{PositionRequest, PositionView, VerdictView};
use crate::api::puzzles::Puzzle;
use crate::api::read::{Heading, NodeJson, ReadAnswer, RecordJson};
use crate::api::rival::{RivalAnswer, RivalRequest};
use crate::api::write::{WrittenGame, WrittenNode};
use crate::error::ErrorJson;
use crate::live::{ClientMessage, LineJson, ScoreJson, ServerMessage};
use crate::spelled::{GameJson, SideJson, SpelledMove};

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
    declared::<SpelledMove>(&mut text);
    declared::<GameJson>(&mut text);
    declared::<ErrorJson>(&mut text);
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
    declared::<ExplainedGroup>(&mut text);
    declared::<ExplainedReason>(&mut text);
    declared::<Puzzle>(&mut text);
    declared::<RivalRequest>(&mut text);
    declared::<RivalAnswer>(&mut text);
    declared::<ReadAnswer>(&mut text);
    declared::<Heading>(&mut text);
    declared::<RecordJson>(&mut text);
    declared::<NodeJson>(&mut text);
    declared::<WrittenGame>(&mut text);
    declared::<WrittenNode>(&mut text);
    declared::<ClientMessage>(&mut text);
    declared::<ServerMessage>(&mut text);
    declared::<LineJson>(&mut text);
    declared::<ScoreJson>(&mut text);
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
