//! What a thread said when it failed.

use std::any::Any;

/// What a thread said when it failed.
pub(crate) fn words(reason: &(dyn Any + Send)) -> String {
    let text = reason.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| reason.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "for no known reason".to_owned())
}
