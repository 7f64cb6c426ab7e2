//! Tags: what is known about a game besides its moves.

use std::collections::HashMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Names and values in the order in which they came. Names are those of PGN (`Event`, `Red`,
/// `RedTeam` …) and are found in any case; no value is empty. Two sets of tags are equal if they say
/// the same in any order.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    /// A removed tag leaves an empty value.
    entries: Vec<(String, String)>,
    /// The place of each entry, by its name in lower case.
    places: HashMap<String, usize>,
}

impl Tags {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        let place = self.places.get(&name.to_ascii_lowercase())?;
        Some(&self.entries[*place].1)
    }

    /// Sets a tag; an empty value removes it. Line ends become spaces, and a name keeps only letters,
    /// digits and underscores.
    pub fn set(&mut self, name: &str, value: &str) {
        let value = value.replace(char::is_control, " ").trim().to_owned();
        let name = cleaned_name(name);
        if name.is_empty() {
            return;
        }
        let key = name.to_ascii_lowercase();
        if value.is_empty() {
            if let Some(place) = self.places.remove(&key) {
                self.entries[place].1 = value;
            }
            return;
        }
        match self.places.get(&key) {
            Some(place) => self.entries[*place].1 = value,
            None => {
                self.places.insert(key, self.entries.len());
                self.entries.push((name, value));
            }
        }
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.entries.iter().filter(|(_, value)| !value.is_empty());
        entries.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// The letters, digits and underscores of a name.
pub(crate) fn cleaned_name(name: &str) -> String {
    name.replace(|character: char| !character.is_alphanumeric() && character != '_', "")
}

impl PartialEq for Tags {
    fn eq(&self, other: &Self) -> bool {
        self.places.len() == other.places.len()
            && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl Eq for Tags {}

/// As a JSON object.
impl Serialize for Tags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Tags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Tags;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tags")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tags, A::Error> {
                let mut tags = Tags::default();
                while let Some((name, value)) = map.next_entry::<String, String>()? {
                    tags.set(&name, &value);
                }
                Ok(tags)
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

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
        assert_eq!(tags.iter().count(), 1);
        tags.set("Red", "呂欽");
        assert_eq!(serde_json::to_string(&tags).unwrap(), r#"{"Event":"邀請賽","Red":"呂欽"}"#);
    }

    #[test]
    fn many_tags_are_set_in_linear_time() {
        let mut tags = Tags::default();
        for number in (0..300_000).chain(0..300_000) {
            tags.set(&format!("T{number}"), "x");
        }
        for number in 0..299_999 {
            tags.set(&format!("t{number}"), "");
        }
        assert_eq!(tags.iter().collect::<Vec<_>>(), [("T299999", "x")]);
    }
}
