//! Games of infinite length on a graph whose edges have colours, decided by the colours that occur again and again (Muller
//! games), solved by the textbook recursion (Zielonka 1998).

/// A set of colours.
pub(crate) type Colours = u16;

/// The graph: nodes belong to player 0 or 1, who chooses an edge.
pub(crate) struct Graph {
    owner: Vec<u8>,
    first: Vec<usize>,
    edges: Vec<(u32, Colours)>,
    into: Vec<Vec<(u32, Colours)>>,
}

impl Graph {
    /// A graph of nodes with their owners and edges; every node has an edge.
    pub(crate) fn new(nodes: Vec<(u8, Vec<(u32, Colours)>)>) -> Self {
        let mut graph = Self { owner: Vec::new(), first: vec![0], edges: Vec::new(), into: Vec::new() };
        graph.into.resize(nodes.len(), Vec::new());
        for (from, (owner, edges)) in nodes.into_iter().enumerate() {
            assert!(!edges.is_empty(), "a play never ends");
            graph.owner.push(owner);
            for (to, colours) in &edges {
                graph.into[*to as usize].push((from as u32, *colours));
            }
            graph.edges.extend(edges);
            graph.first.push(graph.edges.len());
        }
        graph
    }

    fn edges(&self, node: usize) -> &[(u32, Colours)] {
        &self.edges[self.first[node]..self.first[node + 1]]
    }

    /// Where player 0 can force that `wins` holds of the set of colours that occur again and again, out of `all`.
    pub(crate) fn won_by_0(&self, all: Colours, wins: &dyn Fn(Colours) -> bool) -> Vec<bool> {
        self.solve(vec![true; self.owner.len()], all, wins)
    }

    /// The nodes that player 0 wins in the subgame of some nodes and of the edges that have no other colours.
    fn solve(&self, mut nodes: Vec<bool>, colours: Colours, wins: &dyn Fn(Colours) -> bool) -> Vec<bool> {
        let favoured = u8::from(!wins(colours));
        let mut won = vec![false; nodes.len()];
        let children = children(colours, wins);
        'again: loop {
            for child in &children {
                let forced = self.attractor(&nodes, colours, favoured, colours & !child, None);
                let rest: Vec<bool> =
                    nodes.iter().zip(&forced).map(|(node, forced)| *node && !forced).collect();
                if !rest.contains(&true) {
                    continue;
                }
                let by_0 = self.solve(rest.clone(), *child, wins);
                let lost: Vec<bool> =
                    rest.iter().zip(&by_0).map(|(node, by_0)| *node && (*by_0 != (favoured == 0))).collect();
                if lost.contains(&true) {
                    let lost = self.attractor(&nodes, colours, 1 - favoured, 0, Some(&lost));
                    for node in (0..nodes.len()).filter(|node| lost[*node]) {
                        nodes[node] = false;
                        won[node] = favoured == 1;
                    }
                    continue 'again;
                }
            }
            break;
        }
        for node in (0..nodes.len()).filter(|node| nodes[*node]) {
            won[node] = favoured == 0;
        }
        won
    }

    /// Where a player can force a visit of some nodes or an edge with one of the colours `hit`.
    fn attractor(
        &self,
        nodes: &[bool],
        colours: Colours,
        player: u8,
        hit: Colours,
        start: Option<&[bool]>,
    ) -> Vec<bool> {
        let mut forced = vec![false; nodes.len()];
        let mut left = vec![0_u32; nodes.len()];
        let mut queue = Vec::new();
        for node in (0..nodes.len()).filter(|node| nodes[*node]) {
            let inside = |edge: &&(u32, Colours)| edge.1 & !colours == 0 && nodes[edge.0 as usize];
            let hits = self.edges(node).iter().filter(inside).filter(|edge| edge.1 & hit != 0).count();
            let all = self.edges(node).iter().filter(inside).count();
            left[node] = (all - hits) as u32;
            let is_forced = if self.owner[node] == player { hits > 0 } else { all == hits };
            if is_forced || start.is_some_and(|start| start[node]) {
                forced[node] = true;
                queue.push(node);
            }
        }
        while let Some(to) = queue.pop() {
            for &(from, edge) in &self.into[to] {
                let from = from as usize;
                if edge & !colours != 0 || edge & hit != 0 || !nodes[from] || forced[from] {
                    continue;
                }
                left[from] -= 1;
                if self.owner[from] == player || left[from] == 0 {
                    forced[from] = true;
                    queue.push(from);
                }
            }
        }
        forced
    }
}

/// The largest subsets of the colours that the other player wins.
fn children(colours: Colours, wins: &dyn Fn(Colours) -> bool) -> Vec<Colours> {
    let other = |set: Colours| wins(set) != wins(colours);
    let subsets: Vec<Colours> =
        (0..=colours).filter(|set| set & !colours == 0 && *set != colours && other(*set)).collect();
    let is_largest = |set: &Colours| !subsets.iter().any(|more| more != set && more & set == *set);
    subsets.iter().copied().filter(is_largest).collect()
}
