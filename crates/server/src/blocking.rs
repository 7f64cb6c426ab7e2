//! CPU-bound requests: run off the async workers, a few at a time, and stopped when the request is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;

use crate::error::ApiError;
use crate::priority::{self, Work};

/// The places for CPU-bound requests.
pub(crate) struct Blocking(Arc<Semaphore>);

/// Tells the work of a dropped request to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

impl Blocking {
    pub(crate) fn new(places: usize) -> Self {
        Self(Arc::new(Semaphore::new(places)))
    }

    /// Runs `work` on a thread of its own. Its place is free again when the work has ended, not when the
    /// request is dropped, so that abandoned requests cannot pile up.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Stop) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = self.0.clone().acquire_owned().await.map_err(|_| ApiError::internal())?;
        let stop = Stop::default();
        let _stop_on_drop = StopOnDrop(stop.clone());
        let result = tokio::task::spawn_blocking(move || {
            priority::lower(Work::Awaited);
            let result = work(&stop);
            drop(permit);
            result
        });
        // The task panicked.
        result.await.map_err(|_| ApiError::internal())?
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_dropped_request_stops_its_work_and_frees_its_place() {
        let blocking = Blocking::new(1);
        let endless = blocking.run(|stop| {
            while !stop.is_set() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        });
        assert!(tokio::time::timeout(Duration::from_millis(20), endless).await.is_err());
        assert_eq!(blocking.run(|_| Ok(7)).await.unwrap(), 7);
    }
}
