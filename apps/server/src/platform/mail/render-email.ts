import { compile } from 'html-to-text'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { EmailContent } from './email-content.ts'
import { EmailTemplate, viewOf } from './email-template.ts'
import type { Mail } from './mail.ts'

/** The plain text is derived from the page, so that both parts have the same content. */
export function renderEmail(content: EmailContent): Mail {
  const html = `<!doctype html>${renderToStaticMarkup(createElement(EmailTemplate, viewOf(content)))}`
  const { to, replyTo, subject } = content
  return {
    to: oneLine(to),
    replyTo: replyTo && oneLine(replyTo),
    subject: oneLine(subject),
    text: textOf(html),
    html,
  }
}

// A header ends where its line ends: the rest would be another header.
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
