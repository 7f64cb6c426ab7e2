//! Projection of the weights onto what is known of them.

use chuhe_eval::classical::Feature;

use super::knowledge::{Gauge, Rule};

/// Moves the weights to the nearest ones that keep the rules.
pub(super) fn project(weights: &mut [[f32; 3]], rules: &[Rule]) {
    for rule in rules {
        (0..3).for_each(|phase| project_phase(weights, rule, phase));
    }
}

fn project_phase(weights: &mut [[f32; 3]], rule: &Rule, phase: usize) {
    let mut change = |feature: &Feature, to: &dyn Fn(f32) -> f32| {
        let weight = &mut weights[feature.index()][phase];
        *weight = to(*weight);
    };
    match rule {
        Rule::Zero(feature) => change(feature, &|_| 0.0),
        Rule::AtLeast(feature, least) => change(feature, &|weight| weight.max(*least)),
        Rule::Bad(feature) => change(feature, &|weight| weight.min(0.0)),
        Rule::Rising(features) => {
            let mut values: Vec<f32> = features.iter().map(|at| weights[at.index()][phase]).collect();
            make_rising(&mut values);
            for (feature, value) in features.iter().zip(values) {
                weights[feature.index()][phase] = value;
            }
        }
    }
}

/// Isotonic regression by pooling adjacent violators.
fn make_rising(values: &mut [f32]) {
    let mut pools: Vec<(f32, usize)> = Vec::new();
    for value in values.iter() {
        let mut pool = (*value, 1);
        while let Some(&(mean, size)) = pools.last()
            && mean > pool.0
        {
            pools.pop();
            let total = size + pool.1;
            pool = ((mean * size as f32 + pool.0 * pool.1 as f32) / total as f32, total);
        }
        pools.push(pool);
    }
    let pooled = pools.into_iter().flat_map(|(mean, size)| std::iter::repeat_n(mean, size));
    values.iter_mut().zip(pooled).for_each(|(value, mean)| *value = mean);
}

/// Moves the gauge's constant into the material. No score changes, except by rounding.
pub(super) fn centre(weights: &mut [[f32; 3]], gauge: &Gauge) {
    (0..3).for_each(|phase| centre_phase(weights, gauge, phase));
}

fn centre_phase(weights: &mut [[f32; 3]], gauge: &Gauge, phase: usize) {
    let sum: f32 = gauge.zero.iter().map(|feature| weights[feature.index()][phase]).sum();
    let constant = sum / gauge.zero.len() as f32;
    for feature in &gauge.features {
        weights[feature.index()][phase] -= constant;
    }
    if let Some(material) = gauge.material {
        weights[material.index()][phase] += constant;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violators_are_pooled() {
        let mut values = [3.0, 1.0, 2.0, 5.0, 4.0];
        make_rising(&mut values);
        assert_eq!(values, [2.0, 2.0, 2.0, 4.5, 4.5]);
    }
}
