//! The words of which names of openings are made (`terms.txt`): why a line is called what it is called.

use std::sync::LazyLock;

/// A word of opening names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The ways to write it in traditional characters: 屏風馬.
    pub written: Vec<&'static str>,
    /// In English.
    pub english: &'static str,
    /// What it means, in English.
    pub meaning: &'static str,
    /// What it means, in traditional characters.
    pub traditional: &'static str,
    /// What it means, in simplified characters.
    pub simplified: &'static str,
}

static TERMS: LazyLock<Vec<Term>> =
    LazyLock::new(|| parse(include_str!("terms.txt")).expect("the terms are well-formed"));

/// The words of a name in traditional characters, in their order, each once.
///
/// ```
/// let words = chuhe_book::terms::of("五九炮過河車對屏風馬");
/// assert_eq!(words.iter().map(|term| term.written[0]).collect::<Vec<_>>(), ["五九炮", "過河車", "屏風馬"]);
/// ```
pub fn of(name: &str) -> Vec<&'static Term> {
    let mut found: Vec<&'static Term> = Vec::new();
    let mut rest = name;
    while let Some(character) = rest.chars().next() {
        let here = TERMS.iter().find_map(|term| {
            let written = term.written.iter().find(|written| rest.starts_with(**written))?;
            Some((term, written.len()))
        });
        if let Some((term, _)) = here
            && !found.contains(&term)
        {
            found.push(term);
        }
        rest = &rest[here.map_or(character.len_utf8(), |(_, length)| length)..];
    }
    found
}

/// Reads the list; the error is the line that is not well-formed.
fn parse(text: &'static str) -> Result<Vec<Term>, &'static str> {
    let rows = text.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| {
        let fields: Vec<&'static str> = row.split('\t').collect();
        let [written, english, meaning, traditional, simplified] = fields[..] else { return Err(row) };
        Ok(Term { written: written.split('|').collect(), english, meaning, traditional, simplified })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use chuhe_notation::folding::fold;

    use super::*;
    use crate::lines;

    #[test]
    fn every_term_is_in_a_name_and_nearly_every_name_is_explained() {
        let names: Vec<&str> = lines::all().iter().filter_map(|line| Some(line.name?.traditional)).collect();
        for term in &*TERMS {
            assert!(names.iter().any(|name| of(name).contains(&term)), "{}", term.written[0]);
            assert_eq!(fold(term.traditional), fold(term.simplified), "{}", term.written[0]);
            assert!(term.meaning.is_ascii() && term.meaning.ends_with('.'), "{}", term.written[0]);
        }
        let explained = names.iter().filter(|name| !of(name).is_empty()).count();
        assert!(explained * 100 >= names.len() * 95, "{explained} of {}", names.len());
    }

    #[test]
    fn a_row_without_all_languages_is_named() {
        assert_eq!(parse("炮\tcannon"), Err("炮\tcannon"));
    }
}
