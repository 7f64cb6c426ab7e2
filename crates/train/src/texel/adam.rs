//! Adam.

/// The moments of every weight.
pub(super) struct Adam {
    mean: Vec<[f32; 3]>,
    square: Vec<[f32; 3]>,
}

impl Adam {
    const MEAN_DECAY: f32 = 0.9;
    const SQUARE_DECAY: f32 = 0.999;

    pub(super) fn new(size: usize) -> Self {
        Self { mean: vec![[0.0; 3]; size], square: vec![[0.0; 3]; size] }
    }

    pub(super) fn step(&mut self, weights: &mut [[f32; 3]], gradient: &[[f32; 3]], rate: f32, step: u32) {
        let mean_share = 1.0 - Self::MEAN_DECAY.powi(step as i32);
        let square_share = 1.0 - Self::SQUARE_DECAY.powi(step as i32);
        for index in 0..weights.len() {
            for phase in 0..3 {
                let slope = gradient[index][phase];
                let mean = &mut self.mean[index][phase];
                let square = &mut self.square[index][phase];
                *mean = Self::MEAN_DECAY * *mean + (1.0 - Self::MEAN_DECAY) * slope;
                *square = Self::SQUARE_DECAY * *square + (1.0 - Self::SQUARE_DECAY) * slope * slope;
                let length = (*square / square_share).sqrt() + 1e-10;
                weights[index][phase] -= rate * (*mean / mean_share) / length;
            }
        }
    }
}
