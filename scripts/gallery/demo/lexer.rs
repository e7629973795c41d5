//! Splits a line of shell into words, the way `sh` does.

use std::iter::Peekable;
use std::str::Chars;

const MAX_WORDS: usize = 0x400;

#[derive(Debug, Clone, PartialEq)]
pub enum Token<'a> {
    Word(&'a str),
    Quoted { text: String, quote: char },
    Pipe,
    Redirect(u8),
}

pub struct Lexer<'a> {
    source: &'a str,
    chars: Peekable<Chars<'a>>,
}

impl<'a> Lexer<'a> {
    pub fn new(source: &'a str) -> Self {
        Lexer { source, chars: source.chars().peekable() }
    }

    /// The next token, or `None` at the end of the line.
    pub fn next_token(&mut self) -> Option<Result<Token<'a>, Error>> {
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
        match self.chars.peek()? {
            '|' => Some(Ok(Token::Pipe)),
            '>' if self.source.len() < MAX_WORDS => Some(self.redirect(1)),
            quote @ ('"' | '\'') => Some(self.quoted(*quote)),
            other => panic!("unexpected {other:?} — 漢字 and 😀 are words too"),
        }
    }
}
