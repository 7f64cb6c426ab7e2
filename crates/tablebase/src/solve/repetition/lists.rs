//! Lists of small numbers in one piece of memory: the edges of a graph.

/// One list after the other.
pub(super) struct Lists {
    /// Where each list starts, and where the last one ends.
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Lists {
    pub(super) fn new(lists: impl Iterator<Item: IntoIterator<Item = usize>>) -> Self {
        let (mut starts, mut items) = (vec![0], Vec::new());
        for list in lists {
            items.extend(list.into_iter().map(|item| item as u32));
            starts.push(items.len());
        }
        Self { starts, items }
    }

    /// How many lists there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn of(&self, list: usize) -> impl ExactSizeIterator<Item = usize> {
        self.items[self.starts[list]..self.starts[list + 1]].iter().map(|item| *item as usize)
    }

    /// For each number below `len` the lists that it is in, as often as it is.
    pub(super) fn reversed(&self, len: usize) -> Self {
        let mut starts = vec![0; len + 1];
        self.items.iter().for_each(|item| starts[*item as usize + 1] += 1);
        for item in 0..len {
            starts[item + 1] += starts[item];
        }
        let (mut next, mut items) = (starts.clone(), vec![0; self.items.len()]);
        for list in 0..self.len() {
            for item in self.of(list) {
                items[next[item]] = list as u32;
                next[item] += 1;
            }
        }
        Self { starts, items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversed_edges_lead_back() {
        let lists = Lists::new([vec![1, 2, 1], vec![], vec![0, 2]].into_iter());
        let reversed = lists.reversed(4);
        let found: Vec<Vec<usize>> = (0..4).map(|item| reversed.of(item).collect()).collect();
        assert_eq!(found, [vec![2], vec![0, 0], vec![0, 2], vec![]]);
    }
}
