import { compile } from 'html-to-text'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { escapeHtml } from '../escape-html.ts'
import type { Letter } from './letter.ts'
import { LetterPage, type Shown, shownIn } from './letter-page.ts'
import type { Mail } from './mail.ts'

/**
 * The mail that carries a letter. Its page is drawn once for all letters of the same parts, with a mark where each text stands, and the
 * texts are filled in: drawing takes far longer.
 */
export function drawUp(letter: Letter): Mail {
  const texts: string[] = []
  const marks = withEachText(shownIn(letter), (text) => markOf(texts.push(text) - 1))
  const parts = JSON.stringify(marks)
  const page = pages.get(parts) ?? draw(marks)
  pages.set(parts, page)
  const html = filled(page.html, (n) => escapeHtml(texts[n] ?? ''))
  const text = filled(page.text, (n) => texts[n] ?? '')
  const { to, replyTo, subject } = letter
  return {
    to: oneLine(to),
    replyTo: replyTo && oneLine(replyTo),
    subject: oneLine(subject),
    text,
    html,
  }
}

interface Page {
  readonly html: string
  readonly text: string
}

const pages = new Map<string, Page>()

/** The plain text is read off the page, so that neither says what the other does not. */
function draw(shown: Shown): Page {
  const html = `<!doctype html>${renderToStaticMarkup(createElement(LetterPage, shown))}`
  return { html, text: textOf(html) }
}

const withEachText = (shown: Shown, change: (text: string) => string): Shown => {
  const changed = (text: string | undefined) => (text ? change(text) : undefined)
  return {
    heading: change(shown.heading),
    code: changed(shown.code),
    greeting: changed(shown.greeting),
    warning: changed(shown.warning),
    rows: shown.rows.map(([name, value]) => [change(name), change(value)]),
    lines: shown.lines.map(change),
    link: shown.link && { label: change(shown.link.label), url: change(shown.link.url) },
    quote: changed(shown.quote),
  }
}

// Characters that Unicode leaves to whoever needs some. No text is in a page when marks are looked for there, so none can hold one.
const markOf = (n: number): string => `\uE000${n}\uE001`
const filled = (page: string, textAt: (n: number) => string): string =>
  page.replace(/\uE000(\d+)\uE001/g, (_mark, n: string) => textAt(Number(n)))

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
