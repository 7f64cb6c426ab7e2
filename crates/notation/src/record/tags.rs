//! What is known about a game besides its moves.

/// Names and values in the order in which they came. Names are those of PGN (`Event`, `Red`,
/// `RedTeam` …) and are found whatever their case; no value is empty. Two sets of tags are equal if
/// they say the same in any order.
#[derive(Clone, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Sets a tag; an empty value is no value. Line ends become spaces, and a name keeps only letters,
    /// digits and underscores.
    pub fn set(&mut self, name: &str, value: &str) {
        let value = value.replace(char::is_control, " ").trim().to_owned();
        let name = cleaned_name(name);
        if name.is_empty() {
            return;
        }
        let at = self.0.iter().position(|(known, _)| known.eq_ignore_ascii_case(&name));
        match (at, value.is_empty()) {
            (Some(at), true) => drop(self.0.remove(at)),
            (Some(at), false) => self.0[at].1 = value,
            (None, true) => {}
            (None, false) => self.0.push((name, value)),
        }
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The letters, digits and underscores of a name.
pub(crate) fn cleaned_name(name: &str) -> String {
    name.replace(|character: char| !character.is_alphanumeric() && character != '_', "")
}

impl PartialEq for Tags {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl Eq for Tags {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_keep_their_order() {
        let mut tags = Tags::default();
        tags.set("Event", " 全國賽\n2014 ");
        tags.set("Red", "許銀川");
        tags.set("event", "邀請賽");
        tags.set("Black", "");
        assert_eq!(tags.get("EVENT"), Some("邀請賽"));
        assert_eq!(tags.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["Event", "Red"]);
        tags.set("Red", " ");
        assert_eq!(tags.get("Red"), None);
    }
}
