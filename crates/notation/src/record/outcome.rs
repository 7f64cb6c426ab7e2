//! The result field of a record in words.

use chuhe_board::Outcome;

/// What people write in a field for the result: `1-0`, `0-1 後勝`, 紅方勝, 黑胜, 和局.
pub fn outcome_from_words(text: &str) -> Outcome {
    if let Some(outcome) = text.split_whitespace().find_map(Outcome::from_token) {
        return outcome;
    }
    let has = |characters: &[char]| text.contains(characters);
    let won = has(&['勝', '胜']);
    let lost = has(&['負', '负']);
    match () {
        () if has(&['和']) => Outcome::Draw,
        () if has(&['紅', '红']) && won
            || has(&['黑']) && lost
            || text.contains("先胜")
            || text.contains("先勝") =>
        {
            Outcome::RedWins
        }
        () if has(&['黑']) && won
            || has(&['紅', '红']) && lost
            || text.contains("先负")
            || text.contains("先負") =>
        {
            Outcome::BlackWins
        }
        () => Outcome::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_results_are_understood() {
        for (text, outcome) in [
            ("1-0", Outcome::RedWins),
            ("0-1 象棋世家後勝", Outcome::BlackWins),
            ("红胜", Outcome::RedWins),
            ("黑方勝", Outcome::BlackWins),
            ("红负", Outcome::BlackWins),
            ("和棋", Outcome::Draw),
            ("1/2-1/2 和棋", Outcome::Draw),
            ("", Outcome::Undecided),
            ("未知", Outcome::Undecided),
        ] {
            assert_eq!(outcome_from_words(text), outcome, "{text}");
        }
    }
}
