import { BODY_MAX_BYTES } from '@muripo/contract/constants'
import { CallbackId } from '@muripo/contract/ids'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../platform/ctx.ts'
import { AppError } from '../../platform/errors.ts'
import type { Inflight } from '../../platform/inflight.ts'
import { CALL_LEASE_MS } from './connector.ts'
import type { Providers } from './registry.ts'
import { finishCallback, insertCallback, type StoredCallback, takeWaitingCallbacks } from './store.ts'

/** Acts on a callback by asking the provider. False when the token names nothing of this provider's. */
export type OnCallback = (provider: string, token: string) => Promise<boolean>

export interface CallbackHandler {
  /** Whether we made this token. Told without the database, so that a stranger's posts cost nothing and leave nothing. */
  readonly recognises: (token: string) => boolean
  readonly onCallback: OnCallback
}

/** How long a callback may be in work before another round takes it up. */
const RETRY_AFTER_MS = CALL_LEASE_MS

/** How many kept callbacks a process goes through at once. */
const PLACES = 20
const KEPT = 'kept callback'

/** Headers worth keeping; never the ones that carry credentials. */
const keptHeaders = ['content-type', 'user-agent', 'x-forwarded-for', 'date']

/**
 * Takes what providers send on their own account. The sender is answered as soon as the callback is kept, also for a token that names
 * nothing: a callback is a hint to look the charge up, and its answer tells a stranger nothing.
 */
export function mountCallbacks(
  app: FastifyInstance,
  ctx: Ctx,
  providers: Providers,
  inflight: Inflight,
  { recognises, onCallback }: CallbackHandler,
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES },
      (_request, body, done) => done(null, body),
    )
    scope.post<{ Params: { provider: string; token: string } }>(
      '/callbacks/:provider/:token',
      async (request, reply) => {
        const { provider, token } = request.params
        if (!providers.has(provider) || !/^[\w-]{1,120}$/.test(token)) throw new AppError('not_found')
        const answer = providers.byId(provider).callbackReply
        reply.status(answer.status).header('content-type', answer.contentType)
        if (!recognises(token)) return reply.send(answer.body)
        const callback = { id: ctx.ids.next(CallbackId), provider, token }
        const headers = Object.fromEntries(keptHeaders.map((name) => [name, request.headers[name] ?? null]))
        const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
        await insertCallback(ctx.db, { ...callback, headers, body }, RETRY_AFTER_MS)
        inflight.start('callback', process(ctx, callback, onCallback))
        return reply.send(answer.body)
      },
    )
  })
}

/**
 * Begins to go through callbacks that were kept but not finished, after a crash or while the provider was away, as many as there are
 * places for. One that hangs or cannot be gone through keeps no other waiting: it comes up again behind those that wait longer.
 * @returns the promise of what it began being over
 */
export async function retryCallbacks(
  ctx: Ctx,
  inflight: Inflight,
  onCallback: OnCallback,
): Promise<{ gone: Promise<unknown> }> {
  const free = PLACES - inflight.count(KEPT)
  const taken = await takeWaitingCallbacks(ctx.db, RETRY_AFTER_MS, free)
  const begun = taken.map((callback) => process(ctx, callback, onCallback))
  for (const each of begun) inflight.start(KEPT, each)
  return { gone: Promise.allSettled(begun) }
}

async function process(ctx: Ctx, callback: StoredCallback, onCallback: OnCallback): Promise<void> {
  const matched = await onCallback(callback.provider, callback.token)
  await finishCallback(ctx.db, callback.id, matched ? 'applied' : 'unmatched')
}
