//! Rows as tables: for a terminal, in Markdown, as comma-separated values.

use super::Row;
use crate::answer::Engine;
use crate::table::Table;

/// Which columns a table has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// SE05's: states, transitions, depth, stacks.
    pub explicit: bool,
    /// FFKVY01's: iterations, images, nodes.
    pub symbolic: bool,
    /// Of the whole product.
    pub product: bool,
    /// The store.
    pub store: bool,
    /// The spread of the times.
    pub spread: bool,
    /// The memory.
    pub bytes: bool,
}

impl Columns {
    /// Those that have something in them.
    pub fn of(rows: &[Row]) -> Columns {
        Columns {
            explicit: rows.iter().any(|r| r.engine == Engine::Explicit),
            symbolic: rows.iter().any(|r| r.engine == Engine::Symbolic),
            product: rows.iter().any(|r| r.product_states.is_some()),
            store: rows.iter().any(|r| !matches!(r.store.as_str(), "exact" | "bdd")),
            spread: rows.iter().any(|r| r.seconds.len() > 1),
            bytes: false,
        }
    }

    fn header(self) -> Vec<&'static str> {
        let mut names = vec!["model", "property", "algorithm"];
        names.extend(self.store.then_some("store"));
        names.push("verdict");
        if self.product {
            names.extend(["strength", "of states", "of transitions"]);
        }
        names.push("states");
        if self.explicit {
            names.extend(["transitions", "depth", "roots", "active"]);
        }
        if self.symbolic {
            names.extend(["iterations", "images", "nodes"]);
        }
        names.push("seconds");
        names.extend(self.spread.then_some("from – to"));
        names.extend(self.bytes.then_some("bytes"));
        names
    }

    fn cells(self, r: &Row) -> Vec<String> {
        let some = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
        let explicit = |n: u64| if r.engine == Engine::Explicit { n.to_string() } else { String::new() };
        let mut cells = vec![r.model.clone(), r.property.clone(), r.algorithm.clone()];
        cells.extend(self.store.then(|| r.store.clone()));
        cells.push(r.verdict.to_string());
        if self.product {
            cells.push(r.strength.clone().unwrap_or_default());
            cells.extend([some(r.product_states), some(r.product_transitions)]);
        }
        cells.push(r.states.to_string());
        if self.explicit {
            cells.extend([r.transitions, r.depth, r.roots, r.active].map(explicit));
        }
        if self.symbolic {
            cells.extend([some(r.iterations), some(r.images), some(r.nodes)]);
        }
        cells.push(format!("{:.3}", r.median()));
        cells.extend(self.spread.then(|| {
            let (least, most) = r.spread();
            format!("{least:.3} – {most:.3}")
        }));
        cells.extend(self.bytes.then(|| r.bytes.to_string()));
        cells
    }
}

/// The rows for a terminal.
pub fn text(rows: &[Row], columns: Columns) -> String {
    let mut table = Table::new(&columns.header());
    rows.iter().for_each(|r| table.row(columns.cells(r)));
    table.to_text()
}

/// The rows as a table in Markdown.
pub fn markdown(rows: &[Row], columns: Columns) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|c| c.replace('\\', "\\\\").replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let header: Vec<String> = columns.header().into_iter().map(Into::into).collect();
    let rule = format!("|{}\n", "---|".repeat(header.len()));
    rows.iter().fold(line(&header) + &rule, |text, r| text + &line(&columns.cells(r)))
}

/// The rows as comma-separated values, with all columns, one line each.
pub fn csv(rows: &[Row]) -> String {
    let some = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
    let mut text = String::from(
        "model,property,formula,algorithm,engine,store,strength,verdict,reason,product_states,product_transitions,states,\
transitions,depth,roots,active,iterations,images,nodes,bytes,seconds,seconds_least,seconds_most,repetitions\n",
    );
    for r in rows {
        let (least, most) = r.spread();
        let cells = [
            r.model.clone(),
            r.property.clone(),
            r.formula.clone().unwrap_or_default(),
            r.algorithm.clone(),
            match r.engine {
                Engine::Explicit => "explicit",
                Engine::Symbolic => "symbolic",
                Engine::Gpu => "gpu",
            }
            .into(),
            r.store.clone(),
            r.strength.clone().unwrap_or_default(),
            r.verdict.to_string(),
            r.reason.clone().unwrap_or_default(),
            some(r.product_states),
            some(r.product_transitions),
            r.states.to_string(),
            r.transitions.to_string(),
            r.depth.to_string(),
            r.roots.to_string(),
            r.active.to_string(),
            some(r.iterations),
            some(r.images),
            some(r.nodes),
            r.bytes.to_string(),
            format!("{:.6}", r.median()),
            format!("{least:.6}"),
            format!("{most:.6}"),
            r.seconds.len().to_string(),
        ];
        text += &(cells.map(|c| quoted(&c)).join(",") + "\n");
    }
    text
}

/// A field as RFC 4180 has it.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;
    use crate::answer::Verdict;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let mut r = row("a,b", "se05", Verdict::Holds, &[0.5]);
        r.formula = Some("p \"q\"".into());
        let line = csv(&[r]).lines().nth(1).unwrap().to_string();
        assert!(line.starts_with("\"a,b\",p,\"p \"\"q\"\"\",se05,explicit,exact,,holds,"), "{line}");
    }

    #[test]
    fn a_table_has_the_columns_that_it_needs() {
        let mut rows = vec![row("m", "se05", Verdict::Holds, &[0.5])];
        let table = markdown(&rows, Columns::of(&rows));
        assert!(!table.contains("images") && !table.contains("from"), "{table}");
        rows[0].seconds.push(0.7);
        rows[0].property = "a|b".into();
        let table = markdown(&rows, Columns::of(&rows));
        assert!(table.contains("0.500 – 0.700") && table.contains("a\\|b"), "{table}");
    }
}
