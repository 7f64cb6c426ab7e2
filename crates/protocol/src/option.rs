//! The options an engine declares.

use crate::words::Words;

/// An option as an engine declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// Its name, `Move Overhead` for example.
    pub name: String,
    /// What values it takes.
    pub kind: OptionKind,
}

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// The value at start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value at start.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of a list of words.
    Combo {
        /// The value at start.
        default: String,
        /// All values.
        choices: Vec<String>,
    },
    /// No value: setting it does something.
    Button,
    /// Any text.
    Text {
        /// The value at start.
        default: String,
    },
}

impl OptionDeclaration {
    /// An option of this name and kind.
    pub fn new(name: impl Into<String>, kind: OptionKind) -> Self {
        Self { name: name.into(), kind }
    }
}

/// What UCI writes where a text is empty.
const EMPTY: &str = "<empty>";

impl OptionKind {
    /// The words behind the option's name in UCI and UCCI: `type spin default 1 min 1 max 64`.
    pub(crate) fn written(&self) -> String {
        match self {
            Self::Check { default } => format!("type check default {default}"),
            Self::Spin { default, min, max } => format!("type spin default {default} min {min} max {max}"),
            Self::Combo { default, choices } => {
                let choices: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
                format!("type combo default {default}{choices}")
            }
            Self::Button => "type button".to_owned(),
            Self::Text { default } => {
                format!("type string default {}", if default.is_empty() { EMPTY } else { default })
            }
        }
    }

    /// Reads what [`Self::written`] writes; UCCI engines may put `min`, `max` and `var` in front of
    /// `default`. A missing default is the obvious one.
    pub(crate) fn parsed(mut words: Words<'_>) -> Option<Self> {
        let (mut kind, mut default, mut min, mut max) = ("", None, None, None);
        let mut choices = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "type" => kind = words.next()?,
                "default" if kind == "string" => {
                    default = Some(std::mem::replace(&mut words, Words::of("")).rest())
                }
                "default" => default = Some(words.until(PARTS)),
                "min" => min = words.number(),
                "max" => max = words.number(),
                "var" => choices.push(words.until(PARTS).to_owned()),
                _ => {}
            }
        }
        Some(match kind {
            "check" => Self::Check { default: default.is_some_and(is_true) },
            "spin" => {
                let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
                let default = default.and_then(|text| text.parse().ok()).unwrap_or(0);
                Self::Spin { default, min, max }
            }
            "combo" => {
                let default = default.map(str::to_owned).or_else(|| choices.first().cloned());
                Self::Combo { default: default.unwrap_or_default(), choices }
            }
            "button" => Self::Button,
            "string" => {
                Self::Text { default: default.filter(|text| *text != EMPTY).unwrap_or("").to_owned() }
            }
            _ => return None,
        })
    }

    /// Whether setting the option to `value` makes sense; a button takes none.
    pub fn accepts(&self, value: Option<&str>) -> bool {
        match (self, value) {
            (Self::Button, None) | (Self::Text { .. }, _) => true,
            (Self::Check { .. }, Some(value)) => is_true(value) || is_false(value),
            (Self::Spin { min, max, .. }, Some(value)) => {
                value.parse().is_ok_and(|number: i64| (*min..=*max).contains(&number))
            }
            (Self::Combo { choices, .. }, Some(value)) => {
                choices.iter().any(|choice| choice.eq_ignore_ascii_case(value))
            }
            _ => false,
        }
    }
}

const PARTS: &[&str] = &["type", "default", "min", "max", "var"];

/// Whether the text means "yes" for a check option: `true`, `on` or `1`.
fn is_true(text: &str) -> bool {
    ["true", "on", "1"].iter().any(|yes| text.eq_ignore_ascii_case(yes))
}

fn is_false(text: &str) -> bool {
    ["false", "off", "0"].iter().any(|no| text.eq_ignore_ascii_case(no))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_knows_which_values_make_sense() {
        let spin = OptionKind::Spin { default: 16, min: 1, max: 64 };
        assert!(spin.accepts(Some("64")));
        assert!(!spin.accepts(Some("65")));
        assert!(!spin.accepts(Some("many")));
        assert!(!spin.accepts(None));
        let combo = OptionKind::Combo { default: "uci".into(), choices: vec!["uci".into(), "ucci".into()] };
        assert!(combo.accepts(Some("UCCI")));
        assert!(!combo.accepts(Some("usi")));
        assert!(OptionKind::Check { default: false }.accepts(Some("on")));
        assert!(OptionKind::Button.accepts(None));
    }

    #[test]
    fn texts_may_be_empty_or_hold_any_word() {
        for text in ["", "a file  of min max", "default"] {
            let kind = OptionKind::Text { default: text.to_owned() };
            assert_eq!(OptionKind::parsed(Words::of(&kind.written())), Some(kind));
        }
    }
}
