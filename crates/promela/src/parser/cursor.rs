//! The place in the tokens.
//!
//! Calls of inlines put their bodies on a stack of frames; a frame's end is an end, not the way back, so a broken body
//! cannot eat what follows its call.
//!
//! Since version 6 of Spin a new line can end a statement: inside a body and outside brackets, a semicolon is implied
//! between a token that can end a statement and one that begins a line. The cursor makes those semicolons.

use crate::token::{Kind, Sign, Symbol, Token};
use riata_source::Span;
use std::rc::Rc;

struct Frame {
    tokens: Rc<[Token]>,
    at: usize,
    inline: Option<Symbol>,
}

/// The place in the tokens.
pub(crate) struct Cursor {
    frames: Vec<Frame>,
    /// In a body or a `typedef`, where new lines matter.
    pub lines: bool,
    /// Open brackets.
    brackets: usize,
    /// The token before can end a statement, and no semicolon was implied after it yet.
    ended: bool,
    last: Span,
    /// The token taken last was a closing brace.
    brace: bool,
    abandoned: bool,
}

impl Cursor {
    /// At the beginning; the last token is [`Kind::End`].
    pub fn new(tokens: Vec<Token>) -> Cursor {
        let frames = vec![Frame { tokens: tokens.into(), at: 0, inline: None }];
        Cursor {
            frames,
            lines: false,
            brackets: 0,
            ended: false,
            last: Span::at(0),
            brace: false,
            abandoned: false,
        }
    }

    fn token(&self, ahead: usize) -> Token {
        let frame = &self.frames[self.frames.len() - 1];
        let last = frame.tokens.len() - 1;
        frame.tokens[if self.abandoned { last } else { (frame.at + ahead).min(last) }]
    }

    /// True if the next token is an implied semicolon.
    pub fn implied(&self) -> bool {
        if !(self.lines && self.ended && self.brackets == 0) {
            return false;
        }
        let token = self.token(0);
        token.line && token.word() != Some(crate::token::Word::Unless) && token.kind != Kind::End
    }

    /// The next token.
    pub fn peek(&self) -> Token {
        let token = self.token(0);
        if self.implied() {
            let mut semi = token.at(Span::at(self.last.end));
            semi.kind = Kind::Sign(Sign::Semi);
            return semi;
        }
        token
    }

    /// The token after the next, implied semicolons left out.
    pub fn peek_second(&self) -> Token {
        self.token(1)
    }

    /// The token `ahead` of the next, implied semicolons left out.
    pub fn peek_at(&self, ahead: usize) -> Token {
        self.token(ahead)
    }

    /// A place in the frame, for [`Cursor::since`].
    pub fn mark(&self) -> usize {
        self.frames[self.frames.len() - 1].at
    }

    /// The tokens from a place in this frame to the next token.
    pub fn since(&self, mark: usize) -> &[Token] {
        let frame = &self.frames[self.frames.len() - 1];
        &frame.tokens[mark.min(frame.at)..frame.at]
    }

    /// Takes the next token. The caller knows whether it can end a statement.
    pub fn advance(&mut self, ends: bool) {
        if self.implied() {
            self.ended = false;
            self.brace = false;
            return;
        }
        let token = self.token(0);
        match token.kind {
            Kind::End => return,
            Kind::Sign(Sign::OpenParen | Sign::OpenBracket) => self.brackets += 1,
            Kind::Sign(Sign::CloseParen | Sign::CloseBracket) => {
                self.brackets = self.brackets.saturating_sub(1);
            }
            _ => {}
        }
        self.ended = ends;
        self.brace = token.is(Sign::CloseBrace);
        self.last = token.span();
        if let Some(frame) = self.frames.last_mut() {
            frame.at += 1;
        }
    }

    /// Where the token taken last is.
    pub fn last_span(&self) -> Span {
        self.last
    }

    /// True if the token taken last was `}`: then no separator is needed.
    pub fn after_brace(&self) -> bool {
        self.brace
    }

    /// Forgets open brackets, after an error in them.
    pub fn reset_brackets(&mut self) {
        self.brackets = 0;
    }

    /// Goes into the body of an inline.
    pub fn enter(&mut self, tokens: Vec<Token>, inline: Symbol) {
        self.frames.push(Frame { tokens: tokens.into(), at: 0, inline: Some(inline) });
        self.ended = false;
        self.brackets = 0;
    }

    /// Comes back from the body of an inline, wherever in it the parser is. `call` is where it was called.
    pub fn leave(&mut self, call: Span) {
        if self.frames.len() > 1 {
            self.frames.pop();
        }
        self.last = call;
        self.brackets = 0;
        (self.ended, self.brace) = (true, true);
    }

    /// True in the body of an inline.
    pub fn in_inline(&self) -> bool {
        self.frames.len() > 1
    }

    /// True if this inline is being expanded.
    pub fn expanding(&self, inline: Symbol) -> bool {
        self.frames.iter().any(|f| f.inline == Some(inline))
    }

    /// From now on there is only the end.
    pub fn abandon(&mut self) {
        self.abandoned = true;
    }

    /// True if the parser gave up.
    pub fn abandoned(&self) -> bool {
        self.abandoned
    }
}
