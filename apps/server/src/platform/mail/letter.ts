import { escapeHtml } from '../escape-html.ts'
import type { Mail } from './mail.ts'

export interface Letter {
  readonly to: string
  readonly fullname: string
  readonly subject: string
  /** What the mail is, in one sentence: the first line of both its forms. */
  readonly opening: string
  readonly code?: string
  /** Names and values, before the lines. Somebody may have chosen a value to be read here: one that could be a link is not shown. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  readonly lines: readonly string[]
}

/**
 * Every mail to a merchant looks alike. A code stands before the name in every part, so that digits in a name are not taken for it.
 */
export function letter({ to, fullname, subject, opening, code, facts = [], lines }: Letter): Mail {
  const greeting = greet(fullname)
  const first = code === undefined ? opening : `${code} is ${lowerFirst(opening)}`
  const shown = facts.map(
    ([name, value]) => [name, couldBeLink(value) ? 'as on your dashboard' : value] as const,
  )
  const list = shown.map(([name, value]) => `${name}: ${value}`).join('\n')
  return {
    to,
    subject,
    text: [`${first}.`, greeting, ...(list === '' ? [] : [list]), ...lines].join('\n\n'),
    html: page(
      opening,
      [
        ...(code === undefined ? [] : [codeLine(code)]),
        paragraph(greeting),
        ...(shown.length === 0 ? [] : [table(shown)]),
        ...lines.map(paragraph),
      ],
      code === undefined ? '.' : ':',
    ),
  }
}

/** "21 November 2026 at 00:30 (Africa/Harare)". */
export const momentText = (at: Date, timeZone: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at)} (${timeZone})`

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

// Whoever opens an account under another's address chooses the name: no mail program must make a link of it.
function greet(fullname: string): string {
  const name = fullname.replace(/\s+/g, ' ').slice(0, 60)
  return couldBeLink(name) ? 'Hello,' : `Hello ${name},`
}

const couldBeLink = (text: string): boolean => /[/:@\\]|\.\p{L}{2}/u.test(text)

const codeLine = (code: string): string =>
  `<p style="font:700 32px/1.2 ui-monospace,monospace;letter-spacing:6px">${code}</p>`

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`

const cell = 'padding:6px 0;vertical-align:top;text-align:left;font-weight:'
const table = (facts: Required<Letter>['facts']): string =>
  `<table style="width:100%;border-collapse:collapse;border-top:1px solid #ddd;border-bottom:1px solid #ddd">
${facts
  .map(
    ([name, value]) =>
      `<tr><th scope="row" style="${cell}400;color:#555;width:40%;padding-right:12px">${escapeHtml(name)}</th>` +
      `<td style="${cell}600;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  )
  .join('\n')}
</table>`

const page = (opening: string, parts: readonly string[], end: '.' | ':'): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${opening}</title>
</head>
<body style="margin:0;padding:24px;background:#fff;color:#222;font:16px/1.5 system-ui,sans-serif">
<main style="max-width:480px;margin:0 auto">
<p>${opening}${end}</p>
${parts.join('\n')}
</main>
</body>
</html>
`
