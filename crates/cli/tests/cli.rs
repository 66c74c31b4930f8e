//! The command line as its users see it: the commands and outputs in `tests/cmd/*.md` are run and compared.
//!
//! `TRYCMD=overwrite cargo test -p riata-cli --test cli` writes the outputs anew; read the difference before keeping it.

#[test]
fn documented_commands() {
    trycmd::TestCases::new().case("tests/cmd/*.md");
}
