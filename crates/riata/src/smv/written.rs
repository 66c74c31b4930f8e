//! State spaces and products of synchronous models, written down: the symbolic engine finds them, and their states are
//! taken one by one.

use super::Source;
use super::view::View;
use crate::error::Error;
use crate::how::How;
use crate::sets::{self, manager, shape};
use crate::written::Written;
use riata_automata::{Edge, Label, Marks, Strength, Tgba};
use riata_smv::Fail;
use riata_smv::check::{Automaton, Listed, Method, Session};
use riata_smv::machine::Layout;
use riata_symbolic::Strength as Known;

/// The reachable states of the model, or of its product with the automaton of a specification; its fairness constraints
/// and the sets of the automaton are sets of states.
pub fn write_down(
    source: &Source,
    property: Option<&String>,
    most: usize,
    how: &How,
) -> Result<Written, Error> {
    let (model, types) = (&source.model, &source.types);
    let spec = property.and_then(|name| model.specs.iter().find(|s| s.name == *name));
    let order = source.order(&how.options.symbolic)?;
    let (listed, _) = sets::work(how, || {
        let automaton = match spec {
            Some(spec) => {
                let found = Automaton::new(model, types, spec, how.options.exists, Method::Chosen);
                Some(found.map_err(|d| Fail::Wrong(Box::new(d)))?)
            }
            None => None,
        };
        let Some(automaton) = automaton.map_or(Some(None), |a| a.map(Some)) else { return Ok(None) };
        let bdd = manager(how, source.bits());
        let fresh = automaton.as_ref().map_or(0, Automaton::bits);
        let layout = Layout::new(&bdd, model, types, fresh, &order.variables());
        order.apply(&bdd, &layout);
        let session = Session::new(&bdd, model, types, &layout, shape(&how.options.symbolic))?;
        session.listed(automaton.as_ref(), most).map(Some)
    });
    let Some(listed) = listed.map_err(|fail| source.failed(fail))? else {
        return Err(Error::usage(format!(
            "`{}` is not of LTL, so there is no product to draw; leave it out to see the model itself",
            property.map_or("", String::as_str)
        )));
    };
    let Some(listed) = listed else { return Err(Error::Large(most)) };
    if listed.compassion {
        return Err(Error::usage(
            "COMPASSION is decided on Streett pairs, which are not shown; leave it out of the model",
        ));
    }
    Ok(written(source, &listed))
}

fn written(source: &Source, listed: &Listed) -> Written {
    let view = View { model: &source.model };
    let marks = |s: usize| {
        let sets = (0..listed.fair.len()).filter(|&i| listed.fair[i][s]);
        sets.fold(Marks::NONE, |all, i| all | Marks::one(i as u32))
    };
    let n = listed.states.len();
    let marks: Vec<Marks> = (0..n).map(marks).collect();
    let mut a = Tgba::default();
    a.initial.clone_from(&listed.initial);
    a.sets = listed.fair.len() as u32;
    let edge = |&(s, to): &(u32, u32)| (s, Edge { to, label: Label::TRUE, marks: marks[s as usize] });
    a.set_edges(n, &listed.edges.iter().map(edge).collect::<Vec<_>>());
    a.state_marks = Some(marks);
    let state = |(s, more): &(riata_smv::evaluate::State, String)| {
        let mut lines: Vec<String> = view.state_changes(None, s).split(' ').map(String::from).collect();
        lines.extend((!more.is_empty()).then(|| format!("automaton: {more}")));
        lines
    };
    Written {
        strength: match listed.strength {
            Some(Known::Terminal) => Strength::Terminal,
            Some(Known::Weak) => Strength::Weak,
            _ => Strength::General,
        },
        states: listed.states.iter().map(state).collect(),
        steps: vec![String::new(); a.edge_count()],
        automaton: a,
        degeneralised: false,
    }
}
