//! Named sets of endgames, which `chuhe tb build --set` and the app build.

/// The eight endings of (Fang), table 2.
pub const FANG_SET: [&str; 8] =
    ["KN-KA", "KN-KB", "KR-KAA", "KR-KBB", "KR-KAAB", "KR-KABB", "KR-KAABB", "KCA-KAA"];

/// The endings that every textbook treats, and what the engine meets most.
pub const CLASSIC_SET: [&str; 16] = [
    "KRN-KAABB",
    "KRC-KAABB",
    "KRP-KAABB",
    "KNC-KAA",
    "KNP-KAABB",
    "KNN-KAABB",
    "KPPP-KAA",
    "KPP-KAABB",
    "KCPA-KAA",
    "KCAA-KAABB",
    "KNP-KN",
    "KR-KNAA",
    "KR-KNBB",
    "KR-KCAA",
    "KR-KCBB",
    "KR-KPP",
];
