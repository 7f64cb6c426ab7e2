//! Quantisation: floating point to the engine's integers, and back.

use chuhe_eval::network::{
    HIDDEN_ONE, HIDDEN_OUTPUT_ONE, Network, NetworkError, ONE, OUTPUT_ONE, UNIT_ONE, Weights,
};

use super::model::{Model, Parts};

/// Why a model cannot become a network.
#[derive(Debug, thiserror::Error)]
pub enum QuantiseError {
    /// A weight is no number, or none that whole numbers reach.
    #[error("a weight of the {sort} is {weight}: nothing was written")]
    Weight {
        /// Which weights.
        sort: &'static str,
        /// The weight.
        weight: f32,
    },
    /// The engine refuses it.
    #[error("the engine refuses the network: {0}")]
    Refused(#[from] NetworkError),
}

/// The model in whole numbers, rounded to the nearest. Nothing is cut off: a weight that does not fit
/// is an error.
pub fn quantise(model: &Model) -> Result<Weights, QuantiseError> {
    let parts = model.parts();
    let weights = Weights {
        inputs: rounded("inputs", parts.rows, ONE)?,
        input_bias: rounded("inputs' bias", parts.input_bias, ONE)?,
        outputs: rounded("outputs", parts.outputs, OUTPUT_ONE)?,
        output_bias: rounded("outputs' bias", parts.output_bias, ONE * ONE * OUTPUT_ONE)?,
        hidden: rounded("hidden units", parts.hidden, HIDDEN_ONE)?,
        hidden_bias: rounded("hidden units' bias", parts.hidden_bias, UNIT_ONE)?,
        hidden_outputs: rounded("outputs for hidden units", parts.hidden_outputs, HIDDEN_OUTPUT_ONE)?,
    };
    Network::new(&weights)?;
    Ok(weights)
}

/// Weights as whole numbers, where `one` stands for 1.
fn rounded<T: TryFrom<i32>>(sort: &'static str, weights: &[f32], one: i32) -> Result<Vec<T>, QuantiseError> {
    let round = |&weight: &f32| {
        let number = (weight * one as f32).round();
        // A cast would cut what is beyond 32 bits, and make nothing of what is no number.
        let whole = (number.abs() < 2f32.powi(31)).then_some(number as i32);
        whole.and_then(|number| T::try_from(number).ok()).ok_or(QuantiseError::Weight { sort, weight })
    };
    weights.iter().map(round).collect()
}

/// The model that says what a network says, to learn on from there.
pub fn restore(weights: &Weights) -> Model {
    Model::from_parts(Parts {
        rows: &floating(&weights.inputs, ONE),
        input_bias: &floating(&weights.input_bias, ONE),
        outputs: &floating(&weights.outputs, OUTPUT_ONE),
        output_bias: &floating(&weights.output_bias, ONE * ONE * OUTPUT_ONE),
        hidden: &floating(&weights.hidden, HIDDEN_ONE),
        hidden_bias: &floating(&weights.hidden_bias, UNIT_ONE),
        hidden_outputs: &floating(&weights.hidden_outputs, HIDDEN_OUTPUT_ONE),
    })
}

fn floating<T: Copy + Into<i32>>(weights: &[T], one: i32) -> Vec<f32> {
    weights.iter().map(|&weight| weight.into() as f32 / one as f32).collect()
}

#[cfg(test)]
mod tests {
    use chuhe_eval::network::{LARGEST_INPUT, SCALE};

    use super::super::examples::{Blend, Example};
    use super::super::model::tests::random_samples;
    use super::*;

    /// A model that uses the range of the weights, as a trained one does.
    fn lively_model() -> Model {
        let mut model = Model::random(7);
        model.change(|weights| weights.iter_mut().for_each(|weight| *weight *= 4.0));
        model
    }

    #[test]
    fn trainer_and_engine_agree_on_a_thousand_positions() {
        let model = lively_model();
        let weights = quantise(&model).unwrap();
        let network = Network::new(&weights).unwrap();
        let rounded = restore(&weights);
        assert_eq!(quantise(&rounded).unwrap().to_bytes(), weights.to_bytes());
        let (mut spread, mut apart, mut bytes_apart) = (0f32, 0f32, 0f32);
        for sample in random_samples(1000) {
            let example = Example::of(&sample.packed(), Blend { lambda: 0.0 }, false);
            let engine = network.evaluate(&sample.position).get() as f32;
            let same_numbers = rounded.output(&example) * SCALE as f32;
            // The engine's hidden units see the activations as bytes.
            assert!((engine - same_numbers).abs() <= 4.0, "{engine} and {same_numbers}: {}", sample.position);
            bytes_apart += (engine - same_numbers).abs() / 1000.0;
            apart += (engine - model.output(&example) * SCALE as f32).abs() / 1000.0;
            spread = spread.max(engine.abs());
        }
        assert!(spread > 100.0, "the model says something: {spread}");
        assert!(bytes_apart < 1.0, "{bytes_apart} centisoldiers apart in the mean");
        // Rounding the weights themselves costs a little more.
        assert!(apart < 8.0, "{apart} centisoldiers apart in the mean");
    }

    #[test]
    fn weights_that_do_not_fit_are_refused_and_not_cut() {
        let mut rows = vec![0.0; lively_model().parts().rows.len()];
        let model = |rows: &[f32]| {
            let other = lively_model();
            Model::from_parts(Parts { rows, ..other.parts() })
        };
        assert!(quantise(&model(&rows)).is_ok());
        rows[99] = (f32::from(LARGEST_INPUT) + 1.0) / ONE as f32;
        assert!(matches!(quantise(&model(&rows)), Err(QuantiseError::Refused(_))));
        rows[99] = 1e9;
        assert!(matches!(quantise(&model(&rows)), Err(QuantiseError::Weight { .. })));
        rows[99] = f32::NAN;
        assert!(matches!(quantise(&model(&rows)), Err(QuantiseError::Weight { .. })));
    }

    #[test]
    fn training_keeps_weights_within_what_fits() {
        let mut model = lively_model();
        model.change(|weights| weights.iter_mut().for_each(|weight| *weight *= 1000.0));
        // Only the outputs' bias has no limit of its own; it fits a thousand units.
        assert!(quantise(&model).is_ok());
    }
}
