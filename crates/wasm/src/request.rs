//! The web app's requests, answered here as the server answers them.

use chuhe_api::banqi::{BanqiRequest, BanqiThink, banqi};
use chuhe_api::endgame::{EndgameRequest, EndgameTables, RulesRequest, TableRequest, endgame, rules_named};
use chuhe_api::endings::endings;
use chuhe_api::explain::{ExplainRequest, explain};
use chuhe_api::explore::{ExploreRequest, explore};
use chuhe_api::longest::LongestWins;
use chuhe_api::opening::{OpeningRequest, opening};
use chuhe_api::position::{PositionRequest, position};
use chuhe_api::read::{ReadOptions, read, read_batch};
use chuhe_api::write::{WriteOptions, WrittenGame, write};
use chuhe_api::{Key, Notice, puzzles};
use chuhe_tablebase::Material;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::core::{Core, has_network};

/// A failure with its status in HTTP.
struct Failure(u16, Notice);

impl<N: Into<Notice>> From<N> for Failure {
    fn from(refusal: N) -> Self {
        Self(422, refusal.into())
    }
}

/// A body, and what a written format cannot hold.
struct Answer {
    body: Vec<u8>,
    losses: Vec<Notice>,
}

#[derive(Serialize)]
struct Head<'a> {
    status: u16,
    losses: &'a [Notice],
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    error: &'a Notice,
}

/// Answers a request: see [`Operation::Request`](crate::Operation::Request).
pub(crate) fn answer(core: &Core, input: &[u8]) -> Vec<u8> {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let line = String::from_utf8_lossy(&input[..end]);
    let body = input.get(end + 1..).unwrap_or_default();
    match route(core, &line, body) {
        Ok(Answer { body, losses }) => framed(200, &losses, &body),
        Err(Failure(status, error)) => framed(status, &[], &json_bytes(&ErrorBody { error: &error })),
    }
}

fn framed(status: u16, losses: &[Notice], body: &[u8]) -> Vec<u8> {
    let mut output = json_bytes(&Head { status, losses });
    output.push(b'\n');
    output.extend(body);
    output
}

fn route(core: &Core, line: &str, body: &[u8]) -> Result<Answer, Failure> {
    let (target, query) = line.split_once('?').unwrap_or((line, "{}"));
    match target {
        "POST /api/position" => json(&position(&parsed::<PositionRequest>(body)?)?),
        "POST /api/explain" => {
            if !has_network() {
                return Err(Failure(503, network_missing()));
            }
            let request: ExplainRequest = parsed(body)?;
            json(&explain(&request)?)
        }
        "POST /api/opening" => json(&opening(&core.book, &parsed::<OpeningRequest>(body)?)?),
        "POST /api/endgame" => json(&endgame(&core.tables, &parsed::<EndgameRequest>(body)?)?),
        "GET /api/endings" => {
            let RulesRequest { rules } = queried(query)?;
            json(&endings(&core.tables, rules_named(rules.as_deref())?)?)
        }
        "GET /api/longest" => {
            let TableRequest { name, rules } = queried(query)?;
            let material = name.parse::<Material>()?;
            let tables = core.tables.tables(rules_named(rules.as_deref())?);
            json(&LongestWins::count(&tables, &material)?)
        }
        "POST /api/explore" => {
            let request: ExploreRequest = parsed(body)?;
            let material = request.name.parse::<Material>()?;
            let tables = core.tables.tables(rules_named(request.rules.as_deref())?);
            json(&explore(&tables, &material, &request)?)
        }
        "GET /api/puzzles" => {
            let puzzles: Vec<_> = puzzles::all().collect();
            if puzzles.is_empty() {
                return Err(Failure(503, Notice::plain(Key::PuzzlesNotLoaded, "the puzzles are not loaded")));
            }
            json(&puzzles)
        }
        "POST /api/banqi" => json(&banqi(&parsed::<BanqiRequest>(body)?, seed())?),
        "POST /api/banqi/think" => {
            let search = parsed::<BanqiThink>(body)?.search()?;
            json(&search.run(&std::sync::atomic::AtomicBool::new(false)))
        }
        "POST /api/read" => json(&read(&queried::<ReadOptions>(query)?, body, &|| false)?),
        "POST /api/read/batch" => json(&read_batch(&queried::<ReadOptions>(query)?, body, &|| false)?),
        "POST /api/write" => {
            let written = write(&queried::<WriteOptions>(query)?, &parsed::<WrittenGame>(body)?, &|| false)?;
            Ok(Answer { body: written.bytes, losses: written.losses })
        }
        _ => Err(Failure(404, Notice::plain(Key::NeedsServer, format!("'{target}' needs `chuhe serve`")))),
    }
}

/// The refusal of what needs the network before it has come.
pub(crate) fn network_missing() -> Notice {
    Notice::plain(Key::NetworkNotLoaded, "the network is not loaded")
}

fn json(value: &impl Serialize) -> Result<Answer, Failure> {
    Ok(Answer { body: json_bytes(value), losses: Vec::new() })
}

fn json_bytes(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("the answers are plain data")
}

fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|error| Failure(400, Notice::around(Key::Malformed, error)))
}

/// The query, given as JSON after the question mark; without one, an empty object.
fn queried<T: DeserializeOwned>(query: &str) -> Result<T, Failure> {
    parsed(query.as_bytes())
}

/// A number that nobody can predict: the host's clock, stirred.
fn seed() -> u64 {
    let nanos = chuhe_clock::since_1970().as_nanos() as u64;
    (nanos ^ nanos >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(line: &str, body: &str) -> (String, String) {
        let output = answer(&Core::new(), format!("{line}\n{body}").as_bytes());
        let text = String::from_utf8(output).unwrap();
        let (head, body) = text.split_once('\n').unwrap();
        (head.to_owned(), body.to_owned())
    }

    #[test]
    fn requests_are_answered_as_the_server_answers_them() {
        let (head, body) =
            ask("POST /api/position", r#"{"game": {"moves": ["h2e2"]}, "language": "en", "rules": "wxf"}"#);
        assert_eq!(head, r#"{"status":200,"losses":[]}"#);
        assert!(body.contains("炮二平五"));
        let (_, endings) = ask("GET /api/endings", "");
        assert!(endings.contains("\"built_in\":true"));
        let (head, _) = ask("GET /api/longest?{\"name\":\"KR-KA\"}", "");
        assert!(head.contains("200"), "{head}");
    }

    #[test]
    fn bad_requests_have_a_status_and_a_reason() {
        let (head, body) = ask("POST /api/position", r#"{"game": {"moves": ["a0b0"]}, "language": "en"}"#);
        assert!(head.contains("422") && body.contains("a0b0 is illegal"), "{head} {body}");
        assert!(ask("POST /api/position", "nonsense").0.contains("400"));
        let (head, body) = ask("POST /api/games", "{}");
        assert!(head.contains("404") && body.contains("chuhe serve"), "{head} {body}");
    }

    #[test]
    fn records_go_in_and_out() {
        let (_, body) = ask("POST /api/read?{}", "炮二平五 馬8進7");
        assert!(body.contains("\"h2e2\"") && body.contains("\"h9g7\""), "{body}");
        let game = format!(
            r#"{{"tags": [], "start": "{}", "result": "*", "comment": "", "nodes": [
                {{"parent": 0, "move": "h2e2", "comment": "", "marks": []}}]}}"#,
            chuhe_board::fen::START
        );
        let (head, pgn) = ask(r#"POST /api/write?{"format": "pgn", "style": "wxf"}"#, &game);
        assert!(head.contains("200") && pgn.contains("C2=5"), "{head} {pgn}");
    }
}
