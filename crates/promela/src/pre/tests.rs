use super::*;

fn run(text: &str, options: &Options, files: &mut dyn Files) -> (String, Vec<String>) {
    let processed = preprocess("m", text.as_bytes(), options, files);
    let lines = spell_lines(&processed).trim_end().to_string();
    (lines, processed.wrong.into_iter().map(|d| d.message).collect())
}

/// One space between tokens, lines as they are.
#[track_caller]
fn expands(text: &str, wanted: &str) {
    let (out, wrong) = run(text, &Options::default(), &mut NoFiles);
    assert_eq!(out, wanted);
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn object_like_macros() {
    expands("#define N 3\nbyte x[N];", "byte x [ 3 ] ;");
    expands("#define A B\n#define B A + 1\nA B", "A + 1 B + 1");
    expands("#define E\nE x E = E 1", "x = 1");
    expands("#define N 3\n#undef N\nN", "N");
    expands("#define N 3\n\"N\" 'N' N2 N", "\"N\" 'N' N2 3");
    expands("0..N", "0 .. N");
    expands("\u{feff}#define N 3\r\nN\r\n", "3");
    expands("#define N 7\nfor (i : 0..N)", "for ( i : 0 .. 7 )");
}

#[test]
fn function_like_macros() {
    expands("#define F(a, b) a * b\nF(1 + 2, G(3, 4))", "1 + 2 * G ( 3 , 4 )");
    expands("#define F(a) <a>\nF F (1) F\n(2)", "F < 1 > < 2 >");
    expands("#define F() 1\nF() F( )", "1 1");
    expands("#define F(a) [a]\nF() F(F(1))", "[ ] [ [ 1 ] ]");
    expands("#define F (a)\nF", "( a )");
    expands("#define F(a, ...) a: __VA_ARGS__\nF(1, 2, 3) F(1)", "1 : 2 , 3 1 :");
    expands("#define S(a) #a\nS(x  +\"q\\n\")", "\"x +\\\"q\\\\n\\\"\"");
    expands("#define C(a, b) a ## b\n#define xy 5\nC(x, y) C(x,) C(1, 2)", "5 x 12");
    expands("#define C(a, b) a##b\n#define N 3\nC(N, N) C(-, >)", "NN ->");
}

#[test]
fn the_examples_of_the_standard() {
    // ISO C 6.10.3.5, examples 3 and 4, without what Promela's tokens cannot spell.
    let text = "\
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };";
    expands(
        text,
        "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ;\n\
         f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ;\n\
         int i [ ] = { 1 , 23 , 4 , 5 , } ;",
    );
    expands(
        "#define xglue(a, b) glue(a, b)\n#define glue(a, b) a ## b\n#define HIGHLOW \"hello\"\n\
         #define LOW LOW \", world\"\nglue(HIGH, LOW) xglue(HIGH, LOW)",
        "\"hello\" \"hello\" \", world\"",
    );
}

#[test]
fn conditionals() {
    let branch = |condition: &str| {
        run(&format!("#if {condition}\n1\n#else\n0\n#endif"), &Options::default(), &mut NoFiles).0
    };
    let yes = [
        "1",
        "2 - 1",
        "!0",
        "!!3",
        "defined(A) || 1",
        "!defined A",
        "(1 ? 2 : 0)",
        "0 ? 0 : 1 ? 1 : 0",
        "-1 < 0",
        "1 + 2 * 3 == 7",
        "(1 << 4) == 0x10",
        "7 % 4 == 3",
        "'a' == 97",
        "~0 == -1",
        "1 || 1 / 0",
        "010 == 8",
        "10 - 2 - 3 == 5",
        "1 == 1 && 2 > 1",
        "true",
        "1u",
        "3 ^ 2",
        "6 & 2",
    ];
    for condition in yes {
        assert_eq!(branch(condition), "1", "{condition}");
    }
    for condition in ["0", "A", "1 > 2", "defined(A)", "1 && 0", "0 ? 1 : 0", "7 / 2 - 3", "false"] {
        assert_eq!(branch(condition), "0", "{condition}");
    }
    expands("#define A\n#ifdef A\n1\n#elif 1\n2\n#else\n3\n#endif\n4", "1\n4");
    expands("#ifdef A\n1\n#elif 1\n2\n#elif 1\n5\n#else\n3\n#endif\n4", "2\n4");
    expands("#ifndef A\n#if 0\n1\n#else\n2\n#endif\n#else\n#if 1\n3\n#endif\n#endif\n4", "2\n4");
    expands("#if 1\n1\n#else\n#endif\n2", "1\n2");
    expands("#if 0\n#else\n1\n#endif", "1");
    // What is skipped need not be Promela, but comments count.
    expands("#if 0\n/* #endif\n*/ don't \"/*\"\n#bad\n#endif\n1", "1");
    expands("#if 0 /* a\n b */\n1\n#endif // c\n2", "2");
}

#[test]
fn lines_survive() {
    expands("#define E\n#define F(a) a a\na\nE b F(1\n2) c\nF(3)", "a\nb 1 2 1 2 c\n3 3");
    expands("a \\\n b // c \\\n d\n /* e\n */ f", "a b\nf");
    expands("#define N 1 \\\n + 2\nN\nN", "1 + 2\n1 + 2");
}

#[test]
fn files_are_found_as_cpp_finds_them() {
    let mut asked = Vec::new();
    let mut files = |path: &str| {
        asked.push(path.to_string());
        match path {
            "d/a.h" => Ok(b"a\n#include \"b.h\"\n#include <c.h>".to_vec()),
            "d/b.h" => Ok(b"b".to_vec()),
            "inc/c.h" => Ok(b"c N".to_vec()),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        }
    };
    let options =
        Options { defines: vec![Define::Define("N=4".into())], includes: vec!["no".into(), "inc/".into()] };
    let (out, wrong) = run("#include \"d/a.h\"\n#include \"d/b.h\"\nN", &options, &mut files);
    assert_eq!((out.as_str(), wrong.len()), ("a\nb\nc 4\nb\n4", 0));
    assert_eq!(asked, ["d/a.h", "d/b.h", "no/c.h", "inc/c.h"]);
}

#[test]
fn the_command_line_defines() {
    let define = |d: &str| Define::Define(d.to_string());
    let options = Options {
        defines: vec![
            define("A"),
            define("B=x y"),
            define("F(a)=a+a"),
            Define::Undefine("A".into()),
            define("C"),
        ],
        includes: Vec::new(),
    };
    let (out, wrong) = run("A B C F(2)", &options, &mut NoFiles);
    assert_eq!((out.as_str(), wrong.len()), ("A x y 1 2 + 2", 0));
    let bad = Options { defines: vec![define("=3"), define("A=1\nx")], includes: Vec::new() };
    assert_eq!(run("A", &bad, &mut NoFiles).1.len(), 2);
}

#[test]
fn places_are_those_of_the_outermost_use() {
    let text = "#define A B + x\n#define B 1\ny = A;";
    let processed = preprocess("m", text.as_bytes(), &Options::default(), &mut NoFiles);
    let place = |i: usize| {
        let token: &Token = &processed.tokens[i];
        (processed.map.str(token.span()).into_owned(), processed.origins.chain(token.origin).count())
    };
    assert_eq!(place(0), ("y".to_string(), 0));
    assert_eq!(place(2), ("A".to_string(), 2));
    assert_eq!(place(4), ("A".to_string(), 1));
    assert_eq!(place(5), (";".to_string(), 0));
}

#[test]
fn large_inputs_take_linear_time() {
    let mut text = String::from("#define F(a) a + 1\n");
    for i in 0..100_000 {
        text.push_str(&format!("x{} = F({i}); /* comment */\n", i % 100));
    }
    let (out, wrong) = run(&text, &Options::default(), &mut NoFiles);
    assert_eq!((out.lines().count(), wrong.len()), (100_000, 0));
    // Depth in brackets, conditionals and arguments.
    let deep = format!("#define F(a) a\n{}{}", "F(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(run(&deep, &Options::default(), &mut NoFiles).1.len(), 1);
    let deep = format!("#if {}1{}\nyes\n#endif", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(run(&deep, &Options::default(), &mut NoFiles).0, "yes");
    let deep = format!("{}1\n{}", "#if 1\n".repeat(100_000), "#endif\n".repeat(100_000));
    assert_eq!(run(&deep, &Options::default(), &mut NoFiles).0, "1");
}

#[test]
fn doubling_macros_are_stopped() {
    let mut text = String::from("#define A0 x\n");
    for i in 1..64 {
        text.push_str(&format!("#define A{i} A{} A{}\n", i - 1, i - 1));
    }
    let (_, wrong) = run(&format!("{text}A63"), &Options::default(), &mut NoFiles);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    let mut text = String::from("#define A0(x) x x\n");
    for i in 1..64 {
        text.push_str(&format!("#define A{i}(x) A{}(x x)\n", i - 1));
    }
    let (_, wrong) = run(&format!("{text}A63(y)"), &Options::default(), &mut NoFiles);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
}

#[test]
fn doubling_files_are_stopped() {
    let mut files = |path: &str| {
        let n: usize = path.parse().map_err(|_| std::io::Error::from(std::io::ErrorKind::NotFound))?;
        Ok(format!("#include \"{}\"\n#include \"{}\"\n", n + 1, n + 1).into_bytes())
    };
    let (_, wrong) = run("#include \"0\"\nx", &Options::default(), &mut files);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    let mut files = |path: &str| {
        let n: usize = path.parse().map_err(|_| std::io::Error::from(std::io::ErrorKind::NotFound))?;
        let more = format!("#include \"{}\"\n", n + 1).repeat(2);
        Ok(if n < 40 { more.into_bytes() } else { Vec::new() })
    };
    let (_, wrong) = run("#include \"0\"\nx", &Options::default(), &mut files);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
}

#[test]
fn any_bytes_can_be_read() {
    for text in [
        &b"\0"[..],
        b"a\0b",
        b"\xff\xfe \"\xff\"",
        b"'",
        b"\"",
        b"#",
        b"#\n#",
        b"\\",
        b"/*",
        b"##",
        b"#define",
    ] {
        let processed = preprocess("m", text, &Options::default(), &mut NoFiles);
        assert_eq!(processed.tokens.last().map(|t| t.kind), Some(Kind::End));
    }
}
