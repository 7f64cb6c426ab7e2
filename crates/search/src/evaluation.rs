//! Static evaluation as the search uses it: cached, and corrected by correction history.

mod cache;
mod correction;
mod evaluator;
mod incremental;

pub(crate) use cache::EvaluationCache;
pub(crate) use correction::CorrectionHistory;
pub use evaluator::Evaluator;
pub(crate) use incremental::Incremental;
