//! Traces in the Informal Trace Format.

use serde_json::{Map, Value, json};

/// The trace in the Informal Trace Format: `states` are objects of names and values; `back` is the index of the state
/// to which the last one returns.
///
/// # References
/// Apalache: ADR-015, Informal Trace Format in JSON.
pub fn itf(
    source: &str,
    description: &str,
    names: &[String],
    states: &[Value],
    back: Option<usize>,
) -> Value {
    let states: Vec<Value> = states
        .iter()
        .enumerate()
        .map(|(i, state)| {
            let mut object = Map::new();
            object.insert("#meta".into(), json!({ "index": i }));
            if let Value::Object(o) = state {
                object.extend(o.clone());
            }
            Value::Object(object)
        })
        .collect();
    let mut object = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": source,
            "description": description,
        },
        "vars": names,
        "states": states,
    });
    if let Some(back) = back {
        object["loop"] = back.into();
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn itf_has_a_loop() {
        let t = itf("m.dve", "x", &["x".into()], &[json!({"x": 1}), json!({"x": 2})], Some(1));
        assert_eq!(t["loop"], 1);
        assert_eq!(t["states"][1], json!({"#meta": {"index": 1}, "x": 2}));
        assert_eq!(itf("m", "", &[], &[], None).get("loop"), None);
    }
}
