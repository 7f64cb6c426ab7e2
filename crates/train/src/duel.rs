//! Games between two players in one process: pairs from one opening, each player once with each colour.

use chuhe_board::{Outcome, Side};
use chuhe_referee::Game;
use chuhe_search::Preset;

use crate::Wdl;
use crate::selfplay::{Player, Settings, Verdict};

/// A match of fixed nodes between two presets of the search.
pub struct Duel {
    settings: Settings,
    players: [Player; 2],
}

impl Duel {
    /// A match between these two.
    pub fn new(settings: Settings, presets: [&Preset; 2]) -> Self {
        let players = presets.map(|preset| {
            let mut player = Player::new(settings.clone(), 0);
            player.set_preset(preset);
            player
        });
        Self { settings, players }
    }

    /// The results of the first player in the pair of this number, first with Red. Which pairs were played before does
    /// not matter.
    pub fn pair(&mut self, number: u64) -> [Wdl; 2] {
        let opening = self.players[0].opening_of(number);
        [0, 1].map(|red| game(&mut self.players, &self.settings, opening.clone(), red))
    }
}

/// The first player's result in a game from this opening; player `red` has Red. Both forget what they knew.
pub(crate) fn game(players: &mut [Player; 2], settings: &Settings, mut game: Game, red: usize) -> Wdl {
    players.iter_mut().for_each(Player::forget);
    let mut verdict = Verdict::new(settings);
    let result = loop {
        let side = game.position().side_to_move();
        let mover = if side == Side::Red { red } else { 1 - red };
        let (score, best) = players[mover].think(&game, settings.nodes);
        let Some(best) = best else {
            break Outcome::won_by(!side);
        };
        if let Some(result) = verdict.after(&game, score) {
            break result;
        }
        game.play(best).expect("the search plays legal moves");
    };
    Wdl::of(result, if red == 0 { Side::Red } else { Side::Black })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel(first: &str, second: &str) -> Duel {
        let settings = Settings { nodes: 60, hash: 1, ..Settings::default() };
        Duel::new(settings, [&first.parse().unwrap(), &second.parse().unwrap()])
    }

    #[test]
    fn a_pair_does_not_depend_on_those_before() {
        let mut duel_in_order = duel("today", "papers");
        let in_order = [1, 2, 3].map(|number| duel_in_order.pair(number));
        assert_eq!(duel("today", "papers").pair(3), in_order[2]);
    }

    #[test]
    fn equal_players_share_the_points_of_a_pair() {
        let mut same = duel("papers", "papers");
        for number in 1..4 {
            let [first, second] = same.pair(number);
            assert_eq!(first, second.reversed());
        }
    }
}
