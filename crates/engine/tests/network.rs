//! Conversations about networks.

#[path = "support/conversation.rs"]
#[expect(dead_code, reason = "transcripts are for other tests")]
mod conversation;

use std::path::Path;

use chuhe_eval::network::features::{INPUT_BUCKETS, INPUTS, OUTPUT_BUCKETS};
use chuhe_eval::network::{HIDDEN, ONE, OUTPUT_ONE, WIDTH, Weights};
use conversation::Conversation;

/// Writes a network that gives the side to move `units` of score, whatever the position.
fn write_network(path: &Path, units: i32) {
    let weights = Weights {
        inputs: vec![0; INPUT_BUCKETS * INPUTS * WIDTH],
        input_bias: vec![0; WIDTH],
        outputs: vec![0; OUTPUT_BUCKETS * 2 * WIDTH],
        output_bias: vec![units * ONE * ONE * OUTPUT_ONE; OUTPUT_BUCKETS],
        hidden: vec![0; OUTPUT_BUCKETS * HIDDEN * 2 * WIDTH],
        hidden_bias: vec![0; OUTPUT_BUCKETS * HIDDEN],
        hidden_outputs: vec![0; OUTPUT_BUCKETS * HIDDEN],
    };
    std::fs::write(path, weights.to_bytes()).unwrap();
}

fn network_line(conversation: &mut Conversation) -> String {
    conversation.say("eval");
    let lines = conversation.replies().join("\n");
    lines.lines().find(|line| line.starts_with("Network ")).expect("the network says something").to_owned()
}

#[test]
fn a_network_is_loaded_from_a_file_and_searches() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a network.net");
    write_network(&path, 2);
    let mut conversation = Conversation::new();
    let built_in = network_line(&mut conversation);
    conversation.say(&format!("setoption name EvalFile value {}", path.display()));
    assert_eq!(conversation.replies(), Vec::<String>::new());
    let line = network_line(&mut conversation);
    assert!(line.ends_with(": 540 for Red, 540 for the side to move, in centisoldiers"), "{line}");
    let replies = conversation.ask("go depth 3", "bestmove").join("\n");
    // After an odd number of plies the other side is to move and has the two units.
    assert!(replies.contains("score cp -540"), "{replies}");
    conversation.say("setoption name Evaluation value classical");
    let replies = conversation.ask("go depth 3", "bestmove").join("\n");
    assert!(!replies.contains("score cp -540"), "{replies}");
    conversation.say("setoption name EvalFile value <empty>");
    assert_eq!(network_line(&mut conversation), built_in);
}

#[test]
fn a_wrong_file_is_refused_with_the_reason_and_the_old_network_stays() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.net");
    let bad = folder.path().join("bad.net");
    write_network(&good, 1);
    let mut conversation = Conversation::new();
    conversation.say(&format!("setoption name EvalFile value {}", good.display()));
    let before = network_line(&mut conversation);
    let mut refused = |reason: &str| {
        conversation.say(&format!("setoption name EvalFile value {}", bad.display()));
        let remark = conversation.replies().join("\n");
        assert!(remark.contains("the network stays as it was: ") && remark.contains(reason), "{remark}");
        assert_eq!(network_line(&mut conversation), before);
    };
    refused("cannot be read");
    std::fs::write(&bad, "a book").unwrap();
    refused("not a network of Chuhe");
    let mut bytes = std::fs::read(&good).unwrap();
    bytes[700] ^= 1;
    std::fs::write(&bad, &bytes).unwrap();
    refused("the file is damaged");
    std::fs::write(&bad, &bytes[..700]).unwrap();
    refused("700 bytes, a network has");
}
