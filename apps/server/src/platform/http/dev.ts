import type { FastifyInstance } from 'fastify'
import type { Mailbox } from '../mail/mailbox.ts'
import { mailboxPage } from './mailbox-page.ts'

/** Pages for development only: the mails that were not sent, and the way to the simulated handset. */
export function mountDev(app: FastifyInstance, mailbox: Mailbox | null, simulatorUrl: string): void {
  if (mailbox) {
    app.get('/dev/mailbox', async (_request, reply) =>
      reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'")
        .send(mailboxPage(await mailbox.list())),
    )
    app.get<{ Querystring: { to?: string } }>('/dev/mailbox/messages', async (request) =>
      mailbox.list(request.query.to),
    )
  }
  app.get<{ Querystring: { number?: string } }>('/dev/phone', async (request, reply) => {
    const { number } = request.query
    const query = number === undefined ? '' : `?number=${encodeURIComponent(number)}`
    return reply.redirect(`${simulatorUrl}/phone${query}`, 302)
  })
}
