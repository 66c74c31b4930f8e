//! Files with an order of the variables: a name a line, the top first.
//!
//! A variable with several bits may stand there as a whole, or bit by bit: `x.0` is its lowest bit. Sifting takes such
//! variables apart, so what is written names bits. What a file does not name follows as it would without it.

use riata_smv::Model;
use riata_smv::machine::Layout;
use riata_symbolic::{Bdd, Var};
use std::path::Path;

/// An order as a file tells it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Variables, or one of their bits.
    places: Vec<(u32, Option<u32>)>,
}

impl Order {
    /// Reads a file.
    pub fn read(file: &Path, model: &Model) -> Result<Order, String> {
        let text =
            std::fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        Order::parse(&text, model).map_err(|wrong| format!("{}: {wrong}", file.display()))
    }

    fn parse(text: &str, model: &Model) -> Result<Order, String> {
        let variable = |name: &str| Some(model.vars.iter().position(|v| v.name == name)? as u32);
        let mut places = Vec::new();
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("--")) {
            let bit = || {
                let (name, bit) = line.rsplit_once('.')?;
                Some((variable(name)?, bit.parse().ok()?))
            };
            places.push(match (variable(line), bit()) {
                (Some(v), _) => (v, None),
                (None, Some((v, bit))) if bit < model.vars[v as usize].domain.bits() => (v, Some(bit)),
                _ => return Err(format!("there is no variable `{line}`")),
            });
        }
        Ok(Order { places })
    }

    /// The variables in their order, each once.
    pub fn variables(&self) -> Vec<u32> {
        let mut seen = std::collections::HashSet::new();
        self.places.iter().map(|p| p.0).filter(|v| seen.insert(*v)).collect()
    }

    /// Moves the bits to where the file has them. Nothing was built yet.
    pub fn apply(&self, bdd: &impl Bdd, layout: &Layout) {
        if self.places.iter().all(|(_, bit)| bit.is_none()) {
            return;
        }
        let mut taken = vec![false; bdd.var_count() as usize];
        let mut order: Vec<Var> = Vec::new();
        let mut take = |v: Var| {
            if !std::mem::replace(&mut taken[v as usize], true) {
                order.push(v);
            }
        };
        for &(now, then) in &layout.fresh {
            take(now);
            take(then);
        }
        for &(v, bit) in &self.places {
            let bits = &layout.bits[v as usize];
            let n = bits.current.len();
            // The highest bit comes first.
            for i in (0..n).filter(|i| bit.is_none_or(|b| n - 1 - i == b as usize)) {
                take(bits.current[i]);
                bits.next.get(i).copied().into_iter().for_each(&mut take);
            }
        }
        bdd.order().into_iter().for_each(&mut take);
        bdd.set_order(&order);
    }
}

/// The order as it is now, as text for a file.
pub fn text(model: &Model, layout: &Layout, bdd: &impl Bdd) -> String {
    let mut names = vec![None; bdd.var_count() as usize];
    for (v, bits) in model.vars.iter().zip(&layout.bits).filter(|(v, _)| !v.hidden) {
        let n = bits.current.len();
        for (i, &bit) in bits.current.iter().enumerate() {
            let name = if n == 1 { v.name.clone() } else { format!("{}.{}", v.name, n - 1 - i) };
            names[bit as usize] = Some(name);
        }
    }
    bdd.order().into_iter().filter_map(|v| Some(names[v as usize].clone()? + "\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use riata_symbolic::Oxi;
    use riata_system::Limits;

    #[test]
    fn an_order_is_read_as_it_was_written() {
        let source = "MODULE main VAR a : boolean; x : 0..7; y : 0..3; IVAR i : boolean;";
        let (model, types) = riata_smv::parse(source).expect("a model");
        let written = "x.1\ny.0\na\nx.2\ni\ny.1\nx.0\n";
        let order = Order::parse(&format!("-- a comment\n\n{written}"), &model).expect("an order");
        let bdd = Oxi::new(Limits::default());
        let layout = Layout::new(&bdd, &model, &types, 2, &order.variables());
        order.apply(&bdd, &layout);
        assert_eq!(text(&model, &layout, &bdd), written);
        assert_eq!(bdd.order()[..4], [0, 1, 2, 3], "the bits of automata stay on top");
        // A whole variable takes the bits that are left.
        let order = Order::parse("x.1\ny\nx", &model).expect("an order");
        let bdd = Oxi::new(Limits::default());
        let layout = Layout::new(&bdd, &model, &types, 0, &order.variables());
        order.apply(&bdd, &layout);
        assert_eq!(text(&model, &layout, &bdd), "x.1\ny.1\ny.0\nx.2\nx.0\na\ni\n");
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let (model, _) = riata_smv::parse("MODULE main VAR x : 0..7;").expect("a model");
        for wrong in ["y", "x.3", "x.", ".0", "x.-1", "x.0.1"] {
            assert_eq!(Order::parse(wrong, &model), Err(format!("there is no variable `{wrong}`")));
        }
    }
}
