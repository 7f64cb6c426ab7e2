//! The loss curve of a training, as CSV and as SVG.

use std::fmt::Write;

/// A training after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Epochs so far.
    pub epoch: u32,
    /// Examples seen so far.
    pub examples: u64,
    /// Seconds so far.
    pub seconds: f64,
    /// The learning rate of the last step.
    pub learning_rate: f32,
    /// The training loss: mean squared error of the expected result.
    pub training_loss: f64,
    /// The validation loss: the same on games held out of training.
    pub validation_loss: f64,
}

/// All points of a training, and the hand-written evaluation's loss on the same validation games.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Curve {
    /// After each epoch.
    pub points: Vec<Point>,
    /// The validation loss of the hand-written evaluation.
    pub classical: f64,
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 60.0;

impl Curve {
    /// CSV with a heading and a row per epoch.
    pub fn csv(&self) -> String {
        let mut text = String::from("epoch,examples,seconds,rate,learning,checking,classical\n");
        for Point { epoch, examples, seconds, learning_rate, training_loss, validation_loss } in &self.points
        {
            let classical = self.classical;
            let _ = writeln!(
                text,
                "{epoch},{examples},{seconds:.1},{learning_rate:.3e},{training_loss:.7},{validation_loss:.7},{classical:.7}"
            );
        }
        text
    }

    /// Both losses over the epochs, and the hand-written evaluation's as a dashed line.
    pub fn svg(&self) -> String {
        let errors = self.points.iter().flat_map(|point| [point.training_loss, point.validation_loss]);
        let (mut low, mut high) = (self.classical, self.classical);
        for error in errors {
            low = low.min(error);
            high = high.max(error);
        }
        let room = (high - low).max(1e-9) * 0.05;
        let (low, high) = (low - room, high + room);
        let last = self.points.last().map_or(1, |point| point.epoch.max(2));
        let across = |epoch: u32| {
            MARGIN + (WIDTH - 2.0 * MARGIN) * f64::from(epoch.saturating_sub(1)) / f64::from(last.max(2) - 1)
        };
        let down = |error: f64| MARGIN + (HEIGHT - 2.0 * MARGIN) * (high - error) / (high - low);
        let line = |error: fn(&Point) -> f64| {
            let corner = |point: &Point| format!("{:.1},{:.1}", across(point.epoch), down(error(point)));
            self.points.iter().map(corner).collect::<Vec<_>>().join(" ")
        };
        let (right, bottom, level) = (WIDTH - MARGIN, HEIGHT - MARGIN, down(self.classical));
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <path d=\"M{MARGIN} {MARGIN}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>\n\
             <path d=\"M{MARGIN} {level:.1}H{right}\" stroke=\"gray\" stroke-dasharray=\"6 4\"/>\n\
             <polyline points=\"{}\" fill=\"none\" stroke=\"steelblue\" stroke-width=\"2\"/>\n\
             <polyline points=\"{}\" fill=\"none\" stroke=\"firebrick\" stroke-width=\"2\"/>\n",
            line(|point| point.training_loss),
            line(|point| point.validation_loss),
        );
        let mut label = |x: f64, y: f64, anchor: &str, colour: &str, words: &str| {
            let _ = writeln!(
                text,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{words}</text>"
            );
        };
        label(MARGIN - 6.0, MARGIN + 4.0, "end", "black", &format!("{high:.4}"));
        label(MARGIN - 6.0, bottom, "end", "black", &format!("{low:.4}"));
        label(MARGIN, bottom + 20.0, "middle", "black", "1");
        label(right, bottom + 20.0, "middle", "black", &format!("epoch {last}"));
        label(right, level - 6.0, "end", "gray", "hand-written evaluation");
        label(MARGIN + 20.0, MARGIN - 24.0, "start", "steelblue", "while learning");
        label(MARGIN + 160.0, MARGIN - 24.0, "start", "firebrick", "on games never learnt from");
        text.push_str("</svg>\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_becomes_numbers_and_a_picture() {
        let point = |epoch, error| Point {
            epoch,
            examples: 1000 * u64::from(epoch),
            seconds: 2.0,
            learning_rate: 0.001,
            training_loss: error,
            validation_loss: error + 0.001,
        };
        let curve = Curve { points: vec![point(1, 0.02), point(2, 0.015)], classical: 0.018 };
        let csv = curve.csv();
        assert_eq!(csv.lines().count(), 3);
        assert!(csv.contains("2,2000,2.0,1.000e-3,0.0150000,0.0160000,0.0180000\n"), "{csv}");
        let svg = curve.svg();
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(!svg.contains("NaN") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(!Curve::default().svg().contains("NaN"));
    }
}
