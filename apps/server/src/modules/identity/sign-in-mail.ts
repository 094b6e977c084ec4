import type { Mail } from '../../platform/mail/mail.ts'

/** The code stands before the name in every part, so that digits in a name are not taken for it. */
export function signInMail(to: string, fullname: string, code: string): Mail {
  const greeting = greet(fullname)
  const lines = [
    'Enter it on the sign-in page to finish signing in to your Muripo account. It is good for 10 minutes and works once.',
    'Muripo never asks for this code by phone, by chat or by mail. Do not give it to anyone.',
    'If you did not try to sign in, somebody knows your password: please change it.',
  ]
  return {
    to,
    subject: `Your Muripo sign-in code: ${code}`,
    text: [`${code} is your Muripo sign-in code.`, greeting, ...lines].join('\n\n'),
    html: page(code, greeting, lines),
  }
}

// Whoever opens an account under another's address chooses the name: no mail program must make a link of it.
function greet(fullname: string): string {
  const name = fullname.replace(/\s+/g, ' ').slice(0, 60)
  return /[/:@\\]|\.\p{L}{2}/u.test(name) ? 'Hello,' : `Hello ${name},`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

const page = (code: string, greeting: string, lines: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Your Muripo sign-in code</title>
</head>
<body style="margin:0;padding:24px;background:#fff;color:#222;font:16px/1.5 system-ui,sans-serif">
<main style="max-width:480px;margin:0 auto">
<p>Your Muripo sign-in code:</p>
<p style="font:700 32px/1.2 ui-monospace,monospace;letter-spacing:6px">${code}</p>
<p>${escapeHtml(greeting)}</p>
${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
</main>
</body>
</html>
`
