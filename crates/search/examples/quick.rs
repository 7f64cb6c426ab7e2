use chuhe_search::*;
fn main() {
    let d = std::env::args().nth(1).unwrap().parse().unwrap();
    let b = bench::run(d, |p, n| println!("{n:>9} {p}"));
    println!("{} nodes {:?} {:.0} knps", b.nodes, b.time, b.nodes as f64 / b.time.as_secs_f64() / 1e3);
    let mut pool = Pool::new(1, 64);
    let g = Game::new(chuhe_board::Position::start());
    pool.search(
        &g,
        &Limits::movetime(std::time::Duration::from_millis(2000)),
        &Control::default(),
        &mut |e| {
            if let Event::Line(l) = e {
                println!(
                    "{} {} {} {} {:?}",
                    l.depth,
                    l.selective_depth,
                    l.score,
                    l.nodes,
                    &l.moves[..l.moves.len().min(8)]
                )
            }
        },
    );
}
