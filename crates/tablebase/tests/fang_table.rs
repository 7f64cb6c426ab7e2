//! The second table of (Fang), to the printed digit.

use chuhe_board::Side;
use chuhe_tablebase::{Convention, Family, Material};

/// Endgame; partition of wins, mean and longest distance with Red to move; the same with Black to move.
const PRINTED: [(&str, [&str; 3], [&str; 3]); 8] = [
    ("KN-KA", ["99.74", "13.42", "20"], ["96.42", "16.20", "20"]),
    ("KN-KB", ["28.95", "7.19", "17"], ["6.07", "10.01", "16"]),
    ("KR-KAA", ["100.00", "4.77", "11"], ["96.88", "7.06", "11"]),
    ("KR-KBB", ["100.00", "5.03", "13"], ["94.39", "8.64", "13"]),
    ("KR-KAAB", ["100.00", "7.29", "17"], ["94.51", "11.06", "17"]),
    ("KR-KABB", ["100.00", "7.55", "19"], ["93.36", "12.45", "19"]),
    ("KR-KAABB", ["84.60", "10.84", "33"], ["51.44", "16.80", "33"]),
    ("KCA-KAA", ["99.94", "17.21", "25"], ["96.67", "20.45", "25"]),
];

#[test]
fn all_eight_endgames_match_the_printed_table() {
    let mut family = Family::default();
    for (name, red, black) in PRINTED {
        let material: Material = name.parse().unwrap();
        family.add(&material, 1 << 30, &|_, _| {}).unwrap();
        for (side, printed) in Side::ALL.into_iter().zip([red, black]) {
            let statistics = family.table(&material).unwrap().statistics(side, Convention::Fang);
            let (longest, _) = statistics.longest_win.unwrap();
            let found = [
                format!("{:.2}", statistics.win_percent()),
                format!("{:.2}", statistics.mean()),
                longest.to_string(),
            ];
            assert_eq!(found, printed, "{name}, {side} to move");
        }
    }
}
