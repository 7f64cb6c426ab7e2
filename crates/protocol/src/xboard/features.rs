//! `feature` lines: what an engine can do, and its options.

use crate::{OptionDeclaration, OptionKind};

/// One `name=value` of a `feature` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feature {
    /// `ping=1`.
    Number(String, i64),
    /// `myname="Chuhe"`.
    Text(String, String),
    /// `option="Hash -spin 16 1 1024"`.
    Option(OptionDeclaration),
}

impl Feature {
    /// A feature that is on or off.
    pub fn flag(name: &str, on: bool) -> Self {
        Self::Number(name.to_owned(), i64::from(on))
    }

    /// A feature with a text.
    pub fn text(name: &str, text: impl Into<String>) -> Self {
        Self::Text(name.to_owned(), text.into())
    }

    fn of(name: &str, value: &str) -> Self {
        if name == "option"
            && let Some(option) = parse_option(value)
        {
            return Self::Option(option);
        }
        match value.parse() {
            Ok(number) => Self::Number(name.to_owned(), number),
            Err(_) => Self::Text(name.to_owned(), value.to_owned()),
        }
    }

    pub(super) fn written(&self) -> String {
        match self {
            Self::Number(name, number) => format!("{name}={number}"),
            Self::Text(name, text) => format!("{name}=\"{}\"", text.replace('"', "'")),
            Self::Option(option) => format!("option=\"{}\"", write_option(option).replace('"', "'")),
        }
    }
}

/// Reads all of `name=value name="some text"`.
pub(super) fn parse(mut text: &str) -> Vec<Feature> {
    let mut features = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let (value, rest) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        features.push(Feature::of(name.trim(), value));
        text = rest;
    }
    features
}

/// `Hash -spin 16 1 1024`, `Style -combo calm /// *wild`.
fn parse_option(text: &str) -> Option<OptionDeclaration> {
    let (name, rest) = text.split_once(" -")?;
    let (word, value) = rest.split_once(' ').unwrap_or((rest, ""));
    let kind = match word {
        "check" => OptionKind::Check { default: value.trim() == "1" },
        "spin" | "slider" => {
            let mut numbers = value.split_whitespace().map(str::parse);
            let mut next = || numbers.next()?.ok();
            OptionKind::Spin { default: next()?, min: next()?, max: next()? }
        }
        "combo" => {
            let mut default = None;
            let choices: Vec<String> = value.split("///").map(|choice| choice.trim().to_owned()).collect();
            let choices: Vec<String> = choices
                .into_iter()
                .map(|choice| match choice.strip_prefix('*') {
                    Some(starred) => {
                        default = Some(starred.to_owned());
                        starred.to_owned()
                    }
                    None => choice,
                })
                .collect();
            OptionKind::Combo { default: default.unwrap_or_else(|| choices[0].clone()), choices }
        }
        "button" | "save" | "reset" => OptionKind::Button,
        "string" | "file" | "path" => OptionKind::Text { default: value.to_owned() },
        _ => return None,
    };
    Some(OptionDeclaration { name: name.to_owned(), kind })
}

fn write_option(OptionDeclaration { name, kind }: &OptionDeclaration) -> String {
    match kind {
        OptionKind::Check { default } => format!("{name} -check {}", i32::from(*default)),
        OptionKind::Spin { default, min, max } => format!("{name} -spin {default} {min} {max}"),
        OptionKind::Combo { default, choices } => {
            let star =
                |choice: &String| if choice == default { format!("*{choice}") } else { choice.clone() };
            format!("{name} -combo {}", choices.iter().map(star).collect::<Vec<_>>().join(" /// "))
        }
        OptionKind::Button => format!("{name} -button"),
        OptionKind::Text { default } => format!("{name} -string {default}"),
    }
}
