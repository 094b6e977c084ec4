import type { Contact } from '@muripo/contract/site'
import type { z } from 'zod'
import { escapeHtml } from '../../platform/escape-html.ts'
import type { Mail } from '../../platform/mail/mail.ts'

/** Everything a visitor wrote is text; only the address that an answer goes to stands in a header, and its form is checked. */
export function contactMail(to: string, { name, email, message }: z.output<typeof Contact>): Mail {
  const subjectName = name.replace(/[\p{C}\s]+/gu, ' ').slice(0, 80)
  const lines = [`${name} <${email}> wrote through the contact form:`, message]
  return {
    to,
    replyTo: email,
    subject: `Contact form: ${subjectName}`,
    text: lines.join('\n\n'),
    html: page(lines),
  }
}

const page = (lines: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Contact form</title>
</head>
<body style="margin:0;padding:24px;background:#fff;color:#222;font:16px/1.5 system-ui,sans-serif">
<main style="max-width:640px;margin:0 auto">
${lines.map((line) => `<p style="white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(line)}</p>`).join('\n')}
</main>
</body>
</html>
`
