//! The JSON Schema of the contract.

use crate::answer::{Answer, Document, SCHEMA};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The JSON Schema, draft 2020-12, of what `check`, `explore` and `empty` print with `--json`. It allows fields that it
/// does not know, for fields are added within a schema version.
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<Document<Answer>>().to_value();
    schema["title"] = SCHEMA.into();
    // The type knows a string only.
    schema["properties"]["schema"]["const"] = json!(SCHEMA);
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Hashing, Lasso, Location, Reason, Sets, Skipped, Statements, Unreached, Verdict};
    use crate::run::{Run, Taken};

    fn documents() -> Vec<Document<Answer>> {
        let mut small = Document::new("empty", "a.hoa");
        small.results.push(Answer {
            verdict: Verdict::Nonempty,
            index: Some(2),
            algorithm: "ascc".into(),
            lasso: Some(Lasso { stem: vec![], cycle: vec![3.into()] }),
            strength: Some("weak"),
            ..Answer::default()
        });
        let mut wrong = Document::new("check", "m.pml");
        wrong.errors.push("it ends too early".to_string().into());
        let mut full = Document::new("check", "m.pml n.pml");
        full.inputs = vec!["m.pml".into(), "n.pml".into()];
        full.skipped = vec![Skipped { index: None, algorithm: "ndfs".into(), reason: "no".into() }];
        full.resident_bytes = Some(1);
        let mut answer = Answer {
            input: Some("m.pml".into()),
            property: Some("live".into()),
            location: Some(Location { file: "m.pml".into(), line: 1, column: 1 }),
            verdict: Verdict::Violated,
            hashing: Some(Hashing { coverage: 0.5, runs: 1, hashes: 2, seed: 0 }),
            sets: Some(Box::new(Sets { ex: Some(1), ..Sets::default() })),
            reasons: Some(vec![Reason { formula: "F x".into(), step: 0, kind: "broken", end: Some(3) }]),
            statements: Some(Statements {
                unreached: Some(vec![Unreached {
                    process: "P".into(),
                    file: "m.pml".into(),
                    line: 3,
                    statement: "skip".into(),
                }]),
                ..Statements::default()
            }),
            value: Some(json!([1, "infinite"])),
            ..Answer::default()
        };
        answer.show(Run {
            states: vec![json!({"x": 0}), json!({"x": 1})],
            back: Some(1),
            steps: vec![
                Taken { receiver: Some(Box::default()), process: Some("P:0".into()), ..Taken::default() },
                Taken::default(),
            ],
            ..Run::default()
        });
        full.results = vec![answer, Answer::default()];
        vec![small, wrong, full, Document::new("explore", "m.dve")]
    }

    fn values() -> Vec<Value> {
        documents().iter().map(|d| serde_json::to_value(d).unwrap()).collect()
    }

    #[test]
    fn what_is_printed_is_valid() {
        let schema = schema();
        assert!(jsonschema::draft202012::meta::is_valid(&schema));
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        for mut document in values() {
            let errors: Vec<String> = validator.iter_errors(&document).map(|e| e.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}\n{document}");
            // Fields are added.
            document["new"] = json!({ "a": 1 });
            if let Some(result) = document["results"].get_mut(0) {
                result["new"] = json!(true);
                result["counters"]["new"] = json!(1);
            }
            assert!(validator.is_valid(&document), "{document}");
        }
    }

    #[test]
    fn what_is_wrong_is_not_valid() {
        let schema = schema();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let [document, ..] = &values()[..] else { unreachable!() };
        let wrong = |path: &str, value: Value| {
            let mut document = document.clone();
            *document.pointer_mut(path).unwrap() = value;
            assert!(!validator.is_valid(&document), "{path}");
        };
        wrong("/results/0/verdict", json!("maybe"));
        wrong("/results/0/verdict", json!("Holds"));
        wrong("/results/0/counters/states", json!("many"));
        wrong("/results/0/lasso", json!([]));
        wrong("/results/0/engine", json!("steam"));
        wrong("/schema", json!("riata/2"));
        wrong("/results", json!({}));
        let mut document = document.clone();
        document["results"][0].as_object_mut().unwrap().remove("verdict");
        assert!(!validator.is_valid(&document));
    }

    #[test]
    fn it_says_what_it_is() {
        let schema = schema();
        assert_eq!(schema["title"], "riata/1");
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema["$defs"]["Answer"]["properties"]["verdict"]["description"], "What is known.");
        assert_eq!(schema["properties"]["command"]["description"], "The subcommand.");
        assert!(!schema.to_string().contains("additionalProperties"));
    }
}
