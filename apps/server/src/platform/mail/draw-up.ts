import { compile } from 'html-to-text'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Letter } from './letter.ts'
import { LetterPage } from './letter-page.ts'
import type { Mail } from './mail.ts'

/** The mail that carries a letter. Its plain text is read off its page, so that neither says what the other does not. */
export function drawUp(letter: Letter): Mail {
  const html = `<!doctype html>${renderToStaticMarkup(createElement(LetterPage, letter))}`
  const { to, replyTo, subject } = letter
  return {
    to: oneLine(to),
    replyTo: replyTo && oneLine(replyTo),
    subject: oneLine(subject),
    text: textOf(html),
    html,
  }
}

// What stands in a header ends where a line ends; whatever follows would be another header.
const oneLine = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')

const line = { leadingLineBreaks: 1, trailingLineBreaks: 1 }
const textOf = compile({
  wordwrap: false,
  selectors: [
    { selector: '[data-skip-in-text=true]', format: 'skip' },
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'tr[data-fact]', format: 'block', options: line },
  ],
})
