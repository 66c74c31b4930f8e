//! The page of a film.

use super::Film;
use crate::xml::text as escape;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
pub fn page(film: &Film) -> String {
    let title = escape(&film.title);
    let about: String = film.about.iter().map(|line| format!("<p>{}</p>", escape(line))).collect();
    let code: String = film.code.iter().map(|line| format!("<span>{}\n</span>", escape(line))).collect();
    // Inside a script nothing ends it but its end tag.
    let data =
        serde_json::to_string(film).unwrap_or_default().replace("</", "<\\/").replace("<!--", "<\\!--");
    format!(
        r#"<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>{STYLE}</style></head>
<body>
<header><h1>{title}</h1>{about}</header>
<nav aria-label="Steps">
<button id="first" title="To the start (Home)" aria-label="To the start">⇤</button>
<button id="back" title="Back (←)" aria-label="Back">←</button>
<button id="play" title="Play or stop (space)" aria-label="Play">▶ play</button>
<button id="step" title="Step (→)" aria-label="Step">→</button>
<button id="last" title="To the end (End)" aria-label="To the end">⇥</button>
<input id="bar" type="range" min="0" max="{steps}" value="0" aria-label="Step">
<label class="jump">step <input id="at" type="number" min="0" max="{steps}" value="0"> of {steps}</label>
<label class="speed">speed <input id="speed" type="range" min="0" max="10" value="4" aria-label="Speed"></label>
</nav>
<p id="says" aria-live="polite"></p>
<main>
<section class="graph" aria-label="Graph"><div class="zoom"><button id="in" title="Larger (+)">+</button><button
 id="out" title="Smaller (−)">−</button><button id="fit" title="All of it (0)">fit</button></div>
<div id="stage">{picture}</div><ul id="legend"></ul></section>
<section class="side">
<pre id="code" aria-label="The text of the algorithm">{code}</pre>
<div id="lists"></div><dl id="counters"></dl>
<div id="state" hidden></div>
<p class="keys">Keys: space plays and stops, ← and → step, Page Up and Page Down ten steps, Home and End, + − 0 for the
size, &lt; and &gt; for the speed. A click on a state tells what it is.</p>
</section>
</main>
<noscript><p>This page is a film: it needs JavaScript, and nothing else.</p></noscript>
<script type="application/json" id="film">{data}</script>
<script>{SCRIPT}</script>
</body></html>
"#,
        steps = film.shots.len(),
        picture = film.picture,
    )
}
