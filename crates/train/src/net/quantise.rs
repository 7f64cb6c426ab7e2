//! From floating point to the whole numbers of the engine, and back.

use chuhe_eval::network::{Network, NetworkError, ONE, OUTPUT_ONE, Weights};

use super::model::Model;

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
    let narrow = |sort, weights: &[f32], one: i32| -> Result<Vec<i16>, QuantiseError> {
        let round = |&weight: &f32| {
            let number = (weight * one as f32).round();
            let fits = number.abs() <= f32::from(i16::MAX);
            if fits { Ok(number as i16) } else { Err(QuantiseError::Weight { sort, weight }) }
        };
        weights.iter().map(round).collect()
    };
    let unit = (ONE * ONE * OUTPUT_ONE) as f32;
    let wide = |&weight: &f32| {
        let number = (weight * unit).round();
        let fits = number.abs() < 2f32.powi(31);
        if fits { Ok(number as i32) } else { Err(QuantiseError::Weight { sort: "outputs' bias", weight }) }
    };
    let weights = Weights {
        inputs: narrow("inputs", model.rows().as_flattened(), ONE)?,
        input_bias: narrow("inputs' bias", model.input_bias(), ONE)?,
        outputs: narrow("outputs", model.outputs(), OUTPUT_ONE)?,
        output_bias: model.output_bias().iter().map(wide).collect::<Result<_, _>>()?,
    };
    Network::new(&weights)?;
    Ok(weights)
}

/// The model that says what a network says, to learn on from there.
pub fn restore(weights: &Weights) -> Model {
    let floating = |weights: &[i16], one: i32| -> Vec<f32> {
        weights.iter().map(|&weight| f32::from(weight) / one as f32).collect()
    };
    let unit = (ONE * ONE * OUTPUT_ONE) as f32;
    let bias: Vec<f32> = weights.output_bias.iter().map(|&weight| weight as f32 / unit).collect();
    Model::from_parts(
        &floating(&weights.inputs, ONE),
        &floating(&weights.input_bias, ONE),
        &floating(&weights.outputs, OUTPUT_ONE),
        &bias,
    )
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
        let (mut spread, mut apart) = (0f32, 0f32);
        for sample in random_samples(1000) {
            let example = Example::of(&sample.packed(), Blend { result_share: 0.0 }, false);
            let engine = network.evaluate(&sample.position).get() as f32;
            let same_numbers = rounded.output(&example) * SCALE as f32;
            assert!((engine - same_numbers).abs() <= 1.0, "{engine} and {same_numbers}: {}", sample.position);
            apart += (engine - model.output(&example) * SCALE as f32).abs() / 1000.0;
            spread = spread.max(engine.abs());
        }
        assert!(spread > 100.0, "the model says something: {spread}");
        // Rounding the weights themselves costs a little more.
        assert!(apart < 8.0, "{apart} centisoldiers apart in the mean");
    }

    #[test]
    fn weights_that_do_not_fit_are_refused_and_not_cut() {
        let mut rows = vec![0.0; lively_model().rows().as_flattened().len()];
        let model = |rows: &[f32]| {
            let other = lively_model();
            Model::from_parts(rows, other.input_bias(), other.outputs(), other.output_bias())
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
