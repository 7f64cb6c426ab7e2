//! The live socket: a visitor asks for searches and hears what they find.
//!
//! Each socket has at most one search; a new question ends the last. When the socket closes, its
//! search is dropped and with that stopped.

mod message;
mod report;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::Response;
use tokio::time::{MissedTickBehavior, interval, sleep_until, timeout};

use crate::app::Shared;
use crate::engines::{Account, News, Search};
use crate::error::ApiError;
use crate::rate::Rate;
#[cfg(test)]
pub(crate) use message::ScoreJson;
use message::{Asked, Wanted};
pub(crate) use message::{ClientMessage, LineJson, ServerMessage};
use report::GameReport;

/// Browsers need no more news than this, and people see none.
const BETWEEN_NEWS: Duration = Duration::from_millis(60);
/// How often a visitor is asked for a sign of life.
const PING: Duration = Duration::from_secs(15);
/// How long a visitor may take to accept a message.
const SENDING: Duration = Duration::from_secs(5);

/// `GET /api/live`: opens a live socket.
pub(crate) async fn live(
    State(shared): State<Shared>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|rejection| ApiError::new(rejection.status(), rejection.body_text()))?;
    let place = Place::take(shared)?;
    let most = place.0.settings.limits.message_bytes;
    let upgrade = upgrade.max_message_size(most).max_frame_size(most);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let mut visitor = Visitor::new(&place.0, socket);
        // Whatever ends the conversation, there is nobody left to be told.
        let _ = visitor.converse().await;
    }))
}

/// A place among the open sockets, given back when dropped.
struct Place(Shared);

impl Place {
    fn take(shared: Shared) -> Result<Self, ApiError> {
        let place = Self(shared);
        let before = place.0.sockets.fetch_add(1, Ordering::Relaxed);
        if before >= place.0.settings.limits.sockets {
            let message = "this server has as many visitors as it allows";
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        Ok(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The conversation is over.
struct Gone;

struct Visitor<'a> {
    shared: &'a Shared,
    socket: WebSocket,
    account: Arc<Account>,
    rate: Rate,
    question: Option<Question>,
    /// When something last came from the visitor.
    heard: Instant,
}

/// A search and what it was asked for.
struct Question {
    id: u32,
    wanted: Wanted,
    search: Search,
    /// What is known of a game that a report is wanted of.
    report: Option<Box<GameReport>>,
    /// When news may be told next.
    next_news: tokio::time::Instant,
}

impl Question {
    async fn news(&mut self) -> News {
        sleep_until(self.next_news).await;
        let news = self.search.news().await;
        self.next_news = tokio::time::Instant::now() + BETWEEN_NEWS;
        news
    }
}

/// What happens next on a socket.
enum Happening {
    Heard(Option<Result<Message, axum::Error>>),
    News(News),
    Ping,
}

impl<'a> Visitor<'a> {
    fn new(shared: &'a Shared, socket: WebSocket) -> Self {
        let now = Instant::now();
        let rate = Rate::new(shared.settings.limits.messages_per_second, now);
        Self { shared, socket, account: Arc::default(), rate, question: None, heard: now }
    }

    async fn converse(&mut self) -> Result<(), Gone> {
        let mut pings = interval(PING);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let happening = tokio::select! {
                heard = self.socket.recv() => Happening::Heard(heard),
                news = next_news(self.question.as_mut()) => Happening::News(news),
                _ = pings.tick() => Happening::Ping,
            };
            match happening {
                Happening::Heard(Some(Ok(message))) => self.hear(message).await?,
                Happening::Heard(_) => return Err(Gone),
                Happening::News(news) => self.tell_news(news).await?,
                Happening::Ping if self.heard.elapsed() > 3 * PING => return Err(Gone),
                Happening::Ping => self.put(Message::Ping(Vec::new().into())).await?,
            }
        }
    }

    async fn hear(&mut self, message: Message) -> Result<(), Gone> {
        self.heard = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return self.refuse(None, "messages are JSON texts".to_owned()).await,
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(Gone),
        };
        if !self.rate.allows(self.heard) {
            let reason = "too many messages".into();
            let close = CloseFrame { code: close_code::POLICY, reason };
            self.put(Message::Close(Some(close))).await?;
            return Err(Gone);
        }
        match serde_json::from_str(&text) {
            Ok(message) => self.answer(message).await,
            Err(error) => self.refuse(None, format!("this message is not understood: {error}")).await,
        }
    }

    async fn answer(&mut self, message: ClientMessage) -> Result<(), Gone> {
        let Some(question) = message.question() else {
            self.question = None;
            return Ok(());
        };
        // The old search ends before the new one starts, even if that is refused.
        self.question = None;
        let id = question.id;
        match self.question(&question) {
            Ok(question) => {
                self.question = Some(question);
                Ok(())
            }
            Err(error) => self.refuse(Some(id), error.to_string()).await,
        }
    }

    fn question(&self, asked: &Asked) -> Result<Question, ApiError> {
        let limits = &self.shared.settings.limits;
        let mut game = asked.game.game()?;
        let report = match asked.wanted() {
            Wanted::Report => Some(Box::new(GameReport::new(&game)?)),
            Wanted::Lines | Wanted::Move(..) => None,
        };
        if let Some(report) = &report {
            game = report.position();
        }
        let lines = asked.lines.clamp(1, limits.lines.max(GameReport::LINES));
        let search = self.shared.engines.search(&self.account, game, asked.task(limits), lines);
        let next_news = tokio::time::Instant::now();
        Ok(Question { id: asked.id, wanted: asked.wanted(), search, report, next_news })
    }

    async fn tell_news(&mut self, news: News) -> Result<(), Gone> {
        let Some(question) = &mut self.question else {
            return Ok(());
        };
        if question.report.is_some() {
            return self.go_on_with_report(news).await;
        }
        let game = question.search.game();
        let message = match (question.wanted, news.finished) {
            (Wanted::Move(..), true) => ServerMessage::answer(question.id, game, &news),
            _ => ServerMessage::lines(question.id, game, &news),
        };
        if news.finished {
            self.question = None;
        }
        self.tell(&message).await
    }

    /// A position of a report has been searched: on to the next, or to the end.
    async fn go_on_with_report(&mut self, news: News) -> Result<(), Gone> {
        let Some(question) = self.question.as_mut().filter(|_| news.finished) else {
            return Ok(());
        };
        let Some(report) = &mut question.report else {
            return Ok(());
        };
        let id = question.id;
        report.note(&news);
        let (done, total) = report.progress();
        if done < total {
            let game = report.position();
            let engines = &self.shared.engines;
            question.search = engines.search(&self.account, game, GameReport::TASK, GameReport::LINES);
            question.next_news = tokio::time::Instant::now();
            return self.tell(&ServerMessage::Progress { id, done, total }).await;
        }
        let concluded = report.conclude(id, &self.shared.library);
        self.question = None;
        match concluded {
            Ok(message) => self.tell(&message).await,
            Err(error) => self.refuse(Some(id), error.to_string()).await,
        }
    }

    async fn refuse(&mut self, id: Option<u32>, reason: String) -> Result<(), Gone> {
        self.tell(&ServerMessage::Refused { id, reason }).await
    }

    async fn tell(&mut self, message: &ServerMessage) -> Result<(), Gone> {
        let text = serde_json::to_string(message).map_err(|_| Gone)?;
        self.put(Message::Text(text.into())).await
    }

    /// Sends a message. Who does not take it in time is gone.
    async fn put(&mut self, message: Message) -> Result<(), Gone> {
        match timeout(SENDING, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Gone),
        }
    }
}

/// The next news of the question, if there is one; else never.
async fn next_news(question: Option<&mut Question>) -> News {
    match question {
        Some(question) => question.news().await,
        None => std::future::pending().await,
    }
}
