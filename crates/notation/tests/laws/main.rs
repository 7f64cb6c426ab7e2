//! Laws that hold for every position and every game.

mod moves_in_words;
mod positions;
