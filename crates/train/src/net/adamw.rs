//! AdamW: Adam with decoupled weight decay.

use super::model::Model;

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

/// First and second moments of the gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct AdamW {
    pub(super) mean: Vec<f32>,
    pub(super) square: Vec<f32>,
    pub(super) steps: u64,
}

impl Default for AdamW {
    fn default() -> Self {
        Self { mean: vec![0.0; Model::COUNT], square: vec![0.0; Model::COUNT], steps: 0 }
    }
}

impl AdamW {
    /// One step: each weight also shrinks by `learning_rate · weight_decay`.
    pub fn step(&mut self, weights: &mut [f32], gradient: &[f32], learning_rate: f32, weight_decay: f32) {
        self.steps += 1;
        let power = self.steps.min(1 << 20) as i32;
        let mean_share = 1.0 / (1.0 - MEAN_DECAY.powi(power));
        let square_share = 1.0 / (1.0 - SQUARE_DECAY.powi(power));
        let kept = 1.0 - learning_rate * weight_decay;
        let state = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(state) {
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
            let length = (*square * square_share).sqrt() + 1e-8;
            *weight = *weight * kept - learning_rate * (*mean * mean_share) / length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minimum_is_found_and_unused_weights_decay() {
        let mut optimiser = AdamW::default();
        let mut weights = vec![0.0; Model::COUNT];
        weights[0] = 1.0;
        weights[1] = 1.0;
        for _ in 0..2000 {
            let mut gradient = vec![0.0; 2];
            gradient[0] = 2.0 * (weights[0] - 0.25);
            optimiser.step(&mut weights[..2], &gradient, 0.01, 0.1);
        }
        assert!((weights[0] - 0.25).abs() < 0.01, "{}", weights[0]);
        assert!(weights[1] < 0.2, "{}", weights[1]);
    }
}
