import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import { bareHost } from '../outbound/targets.ts'
import { mailboxPage } from './mailbox-page.ts'
import { addressOf, isLoopback } from './network.ts'

/**
 * Pages for development only: the unsent mails, and links to the simulated handset and to the app that pays codes. They answer only a browser on this machine that
 * addresses this machine: no proxy, and no page of another site whose name resolves to this machine.
 */
export function mountDev(app: FastifyInstance, mailbox: Mailbox | null, simulatorUrl: string): void {
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      if (!isLocal(request)) throw new AppError('not_found')
    })
    mountPages(scope, mailbox, simulatorUrl)
  })
}

function isLocal({ socket, headers }: FastifyRequest): boolean {
  const named = Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'))
  const host = URL.canParse(`http://${headers.host}`) ? new URL(`http://${headers.host}`).hostname : ''
  return !named && isLoopback(addressOf(undefined, socket.remoteAddress)) && isLoopback(bareHost(host))
}

function mountPages(app: FastifyInstance, mailbox: Mailbox | null, simulatorUrl: string): void {
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
  const lead = (path: string, target: string, name: string) =>
    app.get<{ Querystring: Record<string, string | undefined> }>(path, async ({ query }, reply) => {
      const value = query[name]
      const search = value === undefined ? '' : `?${name}=${encodeURIComponent(value)}`
      return reply.redirect(`${simulatorUrl}${target}${search}`, 302)
    })
  lead('/dev/phone', '/phone', 'number')
  lead('/dev/codes', '/innbucks/app', 'code')
}
