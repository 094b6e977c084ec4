import type { FastifyReply } from 'fastify'
import { type Html, html, Html as Raw } from './html.ts'
import { styles } from './styles.ts'

const mark = html`<svg width="28" height="20" viewBox="0 0 28 20" fill="none" stroke-width="4" stroke-linecap="round" aria-hidden="true"><path d="M3 17V9a5.5 5.5 0 0 1 11 0v8" stroke="#fff"/><path d="M14 17V9a5.5 5.5 0 0 1 11 0v8" stroke="#FFB020"/></svg>`

interface Frame {
  readonly title: string
  /** Null while a PIN may be typed, because a refresh would clear it. */
  readonly refreshSeconds: number | null
  readonly body: Html
}

export function frame({ title, refreshSeconds, body }: Frame): string {
  const refresh =
    refreshSeconds === null ? null : html`<meta http-equiv="refresh" content="${refreshSeconds}">`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${refresh}
<title>${title}</title><link rel="icon" href="data:,"><style>${new Raw(styles)}</style></head>
<body><header class="bar"><div><a class="brand" href="/phone">${mark}Muripo</a><span class="tag">Simulator, no real money</span></div></header>
<main>${body}</main></body></html>`.text
}

export const sendPage = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    )
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(text)
