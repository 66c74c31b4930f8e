//! Waveforms: a run of a synchronous model, with a row for each variable and a column for each state.

mod svg;
mod vcd;

pub use svg::svg;
pub use vcd::vcd;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A Boolean: high or low.
    Bit(bool),
    /// A number.
    Number(i64),
    /// A vector of bits.
    Word {
        /// How many bits.
        width: u32,
        /// The bits.
        bits: u64,
        /// As people write it.
        shown: String,
    },
    /// Something else.
    Text(String),
}

impl Value {
    /// As people write it.
    pub fn label(&self) -> String {
        match self {
            Value::Bit(b) => u8::from(*b).to_string(),
            Value::Number(n) => n.to_string(),
            Value::Word { shown, .. } => shown.clone(),
            Value::Text(text) => text.clone(),
        }
    }
}

/// A row. Its values are all of one kind, except that numbers and texts may be mixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The variable.
    pub name: String,
    /// Is it an input, whose values belong to the steps after the states?
    pub input: bool,
    /// A value for each state.
    pub values: Vec<Value>,
}

impl Row {
    /// Does the value never change?
    pub fn is_constant(&self) -> bool {
        self.values.windows(2).all(|pair| pair[0] == pair[1])
    }

    fn is_line(&self) -> bool {
        self.values.iter().all(|v| matches!(v, Value::Bit(_)))
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Wave {
    /// The rows.
    pub rows: Vec<Row>,
    /// How many states there are.
    pub states: usize,
    /// If the run is a lasso: the state to which the last one returns.
    pub back: Option<usize>,
    /// The state that is wrong, if one is.
    pub wrong: Option<usize>,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A bit, a number, a word and a text; a loop.
    pub fn example() -> Wave {
        let row = |name: &str, input, values: Vec<Value>| Row { name: name.into(), input, values };
        let word = |bits: u64| Value::Word { width: 4, bits, shown: format!("0ud4_{bits}") };
        let text = |t: &str| Value::Text(t.into());
        Wave {
            rows: vec![
                row("go", true, [false, true, true, false].map(Value::Bit).to_vec()),
                row("cell.x", false, [3, -1, -1, 0].map(Value::Number).to_vec()),
                row("cell.w[1]", false, [1, 2, 2, 15].map(word).to_vec()),
                row("mode", false, ["a<b", "a<b", "off", "off"].map(text).to_vec()),
            ],
            states: 4,
            back: Some(2),
            wrong: None,
        }
    }

    #[test]
    fn a_row_knows_whether_it_changes() {
        let wave = example();
        assert!(wave.rows.iter().all(|r| !r.is_constant()));
        assert!(Row { values: vec![Value::Bit(true); 3], ..wave.rows[0].clone() }.is_constant());
        assert_eq!(wave.rows[2].values[3].label(), "0ud4_15");
    }
}
