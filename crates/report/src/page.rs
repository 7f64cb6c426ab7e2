//! Analyses as a web page that needs nothing else: a board to click through, the graph of the evaluation, the
//! moves with their marks, in English and Chinese.

use crate::analyse::GameAnalysis;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// The page of one or several analyses.
pub fn written(title: &str, analyses: &[GameAnalysis]) -> String {
    let data = serde_json::to_string(analyses).expect("analyses are plain data");
    // Nothing in the data may end the element it stands in.
    let data = data.replace('<', "\\u003c");
    PAGE.replace("{{title}}", &escaped(title))
        .replace("{{style}}", STYLE)
        .replace("{{script}}", SCRIPT)
        .replace("{{data}}", &data)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace("{{", "{ {")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_needs_no_other_file_and_cannot_be_broken_out_of() {
        let page = written("<b>\"</b>", &[]);
        assert!(page.contains("<title>&lt;b>&quot;&lt;/b></title>"));
        for outside in ["src=", "href=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert!(!page.contains("{{"));
    }
}
