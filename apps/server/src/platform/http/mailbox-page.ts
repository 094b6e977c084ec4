import { escapeHtml } from '../escape-html.ts'
import type { StoredMail } from '../mail/mailbox.ts'

const style = `
  :root { color-scheme: light; font: 15px/1.5 system-ui, sans-serif; color: #101828; background: #f6f8fb }
  body { max-width: 720px; margin: 0 auto; padding: 32px 16px }
  h1 { font-size: 22px; margin: 0 0 4px }
  p { margin: 0 0 24px; color: #5a6577 }
  article { background: #fff; border: 1px solid #e5eaf1; border-radius: 14px; padding: 16px 20px; margin-bottom: 12px }
  h2 { font-size: 16px; margin: 0 }
  .to { color: #5a6577; font-size: 13px; margin: 0 0 8px }
  pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 }`

/** The development mailbox as a page, the newest mail first. Mails are shown as plain text. */
export function mailboxPage(mails: readonly StoredMail[]): string {
  const articles = mails.map(
    (mail) => `<article>
  <h2>${escapeHtml(mail.subject)}</h2>
  <p class="to">To ${escapeHtml(mail.to)} · <time datetime="${escapeHtml(mail.sentAt)}">${escapeHtml(mail.sentAt)}</time></p>
  <pre>${escapeHtml(mail.text)}</pre>
</article>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Mailbox · Muripo development</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Mailbox</h1>
<p>Every mail of this gateway. Set SMTP_URL to send them for real as well.</p>
${articles.join('\n') || '<article>No mail yet. Sign in, and the code appears here.</article>'}
</main>
</body>
</html>
`
}
