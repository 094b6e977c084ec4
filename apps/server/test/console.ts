import type { OperatorRole } from '@muripo/contract/console-permissions'
import type { OperatorId } from '@muripo/contract/ids'
import type { FastifyInstance } from 'fastify'
import { addOperator } from '../src/modules/operators/index.ts'
import { operatorActor } from '../src/platform/audit/actor.ts'
import type { Ctx } from '../src/platform/ctx.ts'
import { type Authenticator, createAuthenticator } from './authenticator.ts'

/** An operator at a browser: calls of the console with the cookie of a session. */
export interface AtConsole {
  readonly id: OperatorId
  readonly email: string
  readonly authenticator: Authenticator
  readonly cookie: string
  call(method: 'GET' | 'POST', path: string, payload?: object): Promise<Called>
  /** Signs the approval of a proposal and sends it. */
  approve(proposalId: string): Promise<Called>
}

export interface Called {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any answer
  readonly body: any
  readonly text: string
}

let made = 0

/** Adds an operator, registers a passkey with the link, and signs in. */
export async function operatorAt(app: FastifyInstance, ctx: Ctx, role: OperatorRole): Promise<AtConsole> {
  made += 1
  const email = `${role}${made}@company.test`
  const added = await addOperator(ctx, operatorActor('root', 'root@till'), { email, name: email, role })
  if (added === null) throw new Error('not added')
  const authenticator = await enrolled(app, ctx, added.link)
  const { cookie } = await signedInAt(app, ctx, authenticator)
  const call = (method: 'GET' | 'POST', path: string, payload?: object) =>
    send(app, ctx, { method, path, cookie, payload })
  return {
    id: added.operator.id,
    email,
    authenticator,
    cookie,
    call,
    async approve(proposalId) {
      const options = await call('POST', `/proposals/${proposalId}/sign`)
      if (options.status !== 200) return options
      const passkey = authenticator.show(options.body)
      return call('POST', `/proposals/${proposalId}/approve`, { passkey })
    },
  }
}

export const propose = (by: AtConsole, kind: string, subject: string, more: object = {}): Promise<Called> =>
  by.call('POST', '/proposals', { kind, subject, reason: 'because', ...more })

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly cookie?: string
  readonly payload?: object | undefined
  readonly origin?: string
}

export async function send(
  app: FastifyInstance,
  { config }: Pick<Ctx, 'config'>,
  { method, path, cookie, payload, origin = config.consoleUrl }: Sent,
): Promise<Called & { readonly headers: Readonly<Record<string, unknown>> }> {
  const response = await app.inject({
    method,
    url: `/console/api${path}`,
    headers: { origin, ...(cookie !== undefined && { cookie }) },
    ...(payload && { payload }),
  })
  const isJson = String(response.headers['content-type']).includes('json')
  return {
    status: response.statusCode,
    body: isJson ? response.json() : null,
    text: response.body,
    headers: response.headers,
  }
}

export const tokenOf = (link: string): string => link.slice(link.indexOf('#') + 1)

/** A new authenticator with a passkey that the link has registered. */
export async function enrolled(app: FastifyInstance, ctx: Ctx, link: string): Promise<Authenticator> {
  const authenticator = createAuthenticator({ origin: ctx.config.consoleUrl })
  const token = tokenOf(link)
  const options = await send(app, ctx, { method: 'POST', path: '/enrol/start', payload: { token } })
  if (options.status !== 200) throw new Error(options.text)
  const payload = { token, passkey: authenticator.make(options.body) }
  const finished = await send(app, ctx, { method: 'POST', path: '/enrol', payload })
  if (finished.status !== 201) throw new Error(finished.text)
  return authenticator
}

/** The cookie of a new session. */
export async function signedInAt(app: FastifyInstance, ctx: Ctx, authenticator: Authenticator) {
  const options = await send(app, ctx, { method: 'POST', path: '/sign-in/start' })
  const payload = { passkey: authenticator.show(options.body) }
  const answer = await send(app, ctx, { method: 'POST', path: '/sign-in', payload })
  const setCookie = String(answer.headers['set-cookie'])
  return { ...answer, setCookie, cookie: setCookie.split(';')[0] ?? '' }
}
