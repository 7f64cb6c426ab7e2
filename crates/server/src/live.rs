//! The live socket: searches streamed over a WebSocket.
//!
//! A socket has at most one search; a new request cancels the last. Closing the socket drops its search,
//! which cancels it.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Response;
use chuhe_api::live::{ClientMessage, Goal, SearchRequest, ServerMessage, Update, book_move, strength};
use chuhe_api::report::GameReport;
use chuhe_api::{Key, Notice};
use chuhe_book::Book;
use chuhe_referee::Game;
use tokio::time::{MissedTickBehavior, interval, sleep_until, timeout};

use crate::app::Shared;
use crate::client::{AddressPermit, Client, ClientAddress};
use crate::engines::{Contention, Search, Task, Usage};
use crate::error::ApiError;
use crate::rate_limit::TokenBucket;
use crate::settings::Limits;

/// Least time between two updates; more would not be seen.
const UPDATE_INTERVAL: Duration = Duration::from_millis(60);
/// How often a waiting visitor is told how things stand.
const WAIT_INTERVAL: Duration = Duration::from_secs(1);
/// A client that misses three pings is gone.
const PING_INTERVAL: Duration = Duration::from_secs(15);
/// A client that does not accept a message within this time is gone.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// The answer to a search that panicked. Other searches go on.
const BROKE_DOWN: &str = "the search broke down; try again, or another position";

/// `GET /api/live`: opens a live socket.
pub(crate) async fn live(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade =
        upgrade.map_err(|rejection| ApiError::malformed(rejection.status(), rejection.body_text()))?;
    let permit = SocketPermit::acquire(shared, client.address)?;
    let max_bytes = permit.shared.settings.limits.message_bytes;
    let upgrade = upgrade.max_message_size(max_bytes).max_frame_size(max_bytes);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let mut socket = LiveSocket::new(&permit.shared, socket);
        // The socket is closed either way; there is nobody left to report an error to.
        let _ = socket.serve().await;
    }))
}

/// One of the allowed live sockets, released on drop.
struct SocketPermit {
    shared: Shared,
    _address: AddressPermit,
}

impl SocketPermit {
    fn acquire(shared: Shared, address: ClientAddress) -> Result<Self, ApiError> {
        let refuse = |key, text| ApiError::plain(StatusCode::SERVICE_UNAVAILABLE, key, text);
        let limits = shared.settings.limits;
        // The same dynamic threshold as for connections; a full server is told as such below.
        let free = limits.sockets.saturating_sub(shared.sockets.load(Ordering::Relaxed)).max(1);
        let most = limits.sockets_per_address.min(free);
        let by_address = shared.sockets_by_address.try_acquire(address, most);
        let by_address = by_address.ok_or_else(|| {
            refuse(Key::AddressFull, "your address has as many visitors as this server allows one")
        })?;
        let permit = Self { shared, _address: by_address };
        let before = permit.shared.sockets.fetch_add(1, Ordering::Relaxed);
        if before >= limits.sockets {
            return Err(refuse(Key::ServerFull, "this server has as many visitors as it allows"));
        }
        Ok(permit)
    }
}

impl Drop for SocketPermit {
    fn drop(&mut self) {
        self.shared.sockets.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The socket is closed.
struct Closed;

struct LiveSocket<'a> {
    shared: &'a Shared,
    socket: WebSocket,
    usage: Arc<Usage>,
    bucket: TokenBucket,
    active: Option<ActiveSearch>,
    /// When the client last sent anything.
    last_received: Instant,
}

/// The search of a socket.
struct ActiveSearch {
    id: u32,
    goal: Goal,
    search: Search,
    /// Progress of a game report, if that is the goal.
    report: Option<Box<GameReport>>,
    /// Earliest time of the next update.
    next_update: tokio::time::Instant,
    /// What the visitor was told about the wait.
    told: Option<Contention>,
}

impl ActiveSearch {
    async fn update(&mut self) -> Update {
        let last = self.search.last_update();
        let next = async {
            sleep_until(self.next_update).await;
            self.search.update().await
        };
        // What a player waits for does not wait for its turn.
        let update = tokio::select! { update = last => update, update = next => update };
        self.next_update = tokio::time::Instant::now() + UPDATE_INTERVAL;
        update
    }
}

/// What wakes a socket's loop.
enum Event {
    Received(Option<Result<Message, axum::Error>>),
    Update(Update),
    Wait,
    Ping,
}

impl<'a> LiveSocket<'a> {
    fn new(shared: &'a Shared, socket: WebSocket) -> Self {
        let now = Instant::now();
        let bucket = TokenBucket::new(shared.settings.limits.messages_per_second, now);
        Self { shared, socket, usage: Arc::default(), bucket, active: None, last_received: now }
    }

    /// Runs until the socket is closed.
    async fn serve(&mut self) -> Result<(), Closed> {
        let mut pings = interval(PING_INTERVAL);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut waits = interval(WAIT_INTERVAL);
        waits.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let event = tokio::select! {
                message = self.socket.recv() => Event::Received(message),
                update = next_update(self.active.as_mut()) => Event::Update(update),
                _ = waits.tick(), if self.active.is_some() => Event::Wait,
                _ = pings.tick() => Event::Ping,
            };
            match event {
                Event::Received(Some(Ok(message))) => self.on_message(message).await?,
                Event::Received(_) => return Err(Closed),
                Event::Update(update) => self.on_update(update).await?,
                Event::Wait => self.tell_wait().await?,
                Event::Ping if self.last_received.elapsed() > 3 * PING_INTERVAL => return Err(Closed),
                Event::Ping => self.send_frame(Message::Ping(Vec::new().into())).await?,
            }
        }
    }

    async fn on_message(&mut self, message: Message) -> Result<(), Closed> {
        self.last_received = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => {
                return self.refuse(None, Notice::around(Key::Malformed, "messages are JSON texts")).await;
            }
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(Closed),
        };
        if !self.bucket.try_take(self.last_received) {
            let reason = "too many messages".into();
            let close = CloseFrame { code: close_code::POLICY, reason };
            self.send_frame(Message::Close(Some(close))).await?;
            return Err(Closed);
        }
        match serde_json::from_str::<ClientMessage>(&text) {
            Ok(message) => self.on_request(message.search()).await,
            Err(error) => {
                let detail = format!("this message is not understood: {error}");
                self.refuse(None, Notice::around(Key::Malformed, detail)).await
            }
        }
    }

    /// Cancels the current search and starts the requested one; `None` only cancels.
    async fn on_request(&mut self, request: Option<SearchRequest>) -> Result<(), Closed> {
        self.active = None;
        let Some(request) = request else { return Ok(()) };
        match self.start(&request) {
            Ok(active) => {
                self.active = Some(active);
                self.tell_wait().await
            }
            Err(reason) => self.refuse(Some(request.id), reason).await,
        }
    }

    fn start(&self, request: &SearchRequest) -> Result<ActiveSearch, Notice> {
        let limits = &self.shared.settings.limits;
        let mut game = request.game.game()?;
        let mut task = task(request.goal, limits, &game, &self.shared.library.book);
        let report = match request.goal {
            Goal::Report(effort) => Some(Box::new(GameReport::new(&game, effort)?)),
            Goal::Lines { .. } | Goal::Move { .. } => None,
        };
        if let Some(report) = &report {
            (game, task) = (report.next_game(), Task::analyse(report.next_time()));
        }
        let lines = request.lines.clamp(1, limits.lines.max(GameReport::LINES));
        let search = self.shared.engines.search(&self.usage, game, task, lines);
        let next_update = tokio::time::Instant::now();
        Ok(ActiveSearch { id: request.id, goal: request.goal, search, report, next_update, told: None })
    }

    /// Tells the visitor how long moves wait, if that has changed.
    async fn tell_wait(&mut self) -> Result<(), Closed> {
        let contention = self.shared.engines.contention();
        match &mut self.active {
            Some(active) if active.told != contention => {
                active.told = contention;
                let over = Contention { players: 0, engines: 0, longest_wait: Duration::ZERO };
                let Contention { players, engines, longest_wait } = contention.unwrap_or(over);
                let milliseconds = longest_wait.as_millis() as u64;
                let message = ServerMessage::Waiting { id: active.id, players, engines, milliseconds };
                self.send(&message).await
            }
            _ => Ok(()),
        }
    }

    async fn on_update(&mut self, update: Update) -> Result<(), Closed> {
        let Some(active) = &mut self.active else {
            return Ok(());
        };
        if update.failed {
            let id = active.id;
            self.active = None;
            return self.refuse(Some(id), Notice::plain(Key::SearchFailed, BROKE_DOWN)).await;
        }
        if active.report.is_some() {
            return self.continue_report(update).await;
        }
        let game = active.search.game();
        let message = match (active.goal, update.finished) {
            (Goal::Move { .. }, true) => ServerMessage::answer(active.id, game, &update),
            _ => ServerMessage::lines(active.id, game, &update),
        };
        if update.finished {
            self.active = None;
        }
        self.send(&message).await
    }

    /// Records a searched position of a report, then starts the next one or sends the report.
    async fn continue_report(&mut self, update: Update) -> Result<(), Closed> {
        let Some(active) = self.active.as_mut().filter(|_| update.finished) else {
            return Ok(());
        };
        let Some(report) = &mut active.report else {
            return Ok(());
        };
        let id = active.id;
        report.record(&update);
        let (done, total) = report.progress();
        if done < total {
            let (game, task) = (report.next_game(), Task::analyse(report.next_time()));
            let engines = &self.shared.engines;
            active.search = engines.search(&self.usage, game, task, GameReport::LINES);
            active.next_update = tokio::time::Instant::now();
            return self.send(&ServerMessage::Progress { id, done, total }).await;
        }
        let library = &self.shared.library;
        let finished = report.finish(id, Some(library.tables.clone()), &library.book);
        self.active = None;
        match finished {
            Ok(message) => self.send(&message).await,
            Err(error) => self.refuse(Some(id), error.into()).await,
        }
    }

    async fn refuse(&mut self, id: Option<u32>, reason: Notice) -> Result<(), Closed> {
        self.send(&ServerMessage::Refused { id, reason }).await
    }

    async fn send(&mut self, message: &ServerMessage) -> Result<(), Closed> {
        let text = serde_json::to_string(message).map_err(|_| Closed)?;
        self.send_frame(Message::Text(text.into())).await
    }

    async fn send_frame(&mut self, message: Message) -> Result<(), Closed> {
        match timeout(SEND_TIMEOUT, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Closed),
        }
    }
}

/// The search for a goal; the positions of a report have times of their own.
fn task(goal: Goal, limits: &Limits, game: &Game, book: &Book) -> Task {
    match goal {
        Goal::Lines { threads, depth, hash } => Task::Analyse {
            longest: Duration::from_secs(limits.analysis_seconds),
            threads,
            depth,
            hash: hash.map(|mebibytes| mebibytes.clamp(1, limits.analysis_hash)),
        },
        Goal::Report(_) => Task::analyse(Duration::from_secs(limits.analysis_seconds)),
        Goal::Move { level, time, book: policy } => {
            let strength = strength(level);
            let time = time.min(Duration::from_secs(limits.move_seconds));
            let random = RandomState::new().hash_one(level);
            let book = policy.and_then(|policy| book_move(book, game, strength, policy, random));
            Task::Move { strength, time, book }
        }
    }
}

/// The next update of the active search; pending forever if there is none.
async fn next_update(active: Option<&mut ActiveSearch>) -> Update {
    match active {
        Some(active) => active.update().await,
        None => std::future::pending().await,
    }
}
