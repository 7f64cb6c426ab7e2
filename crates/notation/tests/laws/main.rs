//! Laws that hold for every position and every game.

mod games;
mod moves_in_words;
mod positions;
mod records;
