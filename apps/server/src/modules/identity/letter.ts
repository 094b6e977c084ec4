import { escapeHtml } from '../../platform/escape-html.ts'
import type { Mail } from '../../platform/mail/mail.ts'

export interface Letter {
  readonly to: string
  readonly fullname: string
  readonly subject: string
  /** What the mail is, in one sentence: the first line of both its forms. */
  readonly opening: string
  readonly code?: string
  readonly lines: readonly string[]
}

/**
 * Every mail to a merchant looks alike. A code stands before the name in every part, so that digits in a name are not taken for it.
 */
export function letter({ to, fullname, subject, opening, code, lines }: Letter): Mail {
  const greeting = greet(fullname)
  const first = code === undefined ? opening : `${code} is ${lowerFirst(opening)}`
  return {
    to,
    subject,
    text: [`${first}.`, greeting, ...lines].join('\n\n'),
    html: page(opening, code, [greeting, ...lines]),
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

// Whoever opens an account under another's address chooses the name: no mail program must make a link of it.
function greet(fullname: string): string {
  const name = fullname.replace(/\s+/g, ' ').slice(0, 60)
  return /[/:@\\]|\.\p{L}{2}/u.test(name) ? 'Hello,' : `Hello ${name},`
}

const codeLine = (code: string): string =>
  `<p style="font:700 32px/1.2 ui-monospace,monospace;letter-spacing:6px">${code}</p>\n`

const page = (opening: string, code: string | undefined, lines: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${opening}</title>
</head>
<body style="margin:0;padding:24px;background:#fff;color:#222;font:16px/1.5 system-ui,sans-serif">
<main style="max-width:480px;margin:0 auto">
<p>${opening}${code === undefined ? '.' : ':'}</p>
${code === undefined ? '' : codeLine(code)}${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
</main>
</body>
</html>
`
