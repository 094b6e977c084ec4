import { BODY_MAX_BYTES } from '@muripo/contract/constants'
import { CallbackId } from '@muripo/contract/ids'
import type { FastifyInstance } from 'fastify'
import type { BackgroundTasks } from '../../platform/async/background-tasks.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { AppError } from '../../platform/errors.ts'
import { admitPerAddressInMemory } from '../../platform/limits/admit.ts'
import type { Limit } from '../../platform/limits/limits.ts'
import { CALL_LEASE_MS } from './connector.ts'
import type { Providers } from './registry.ts'
import {
  countRefusals,
  finishCallback,
  insertCallback,
  postponeCallback,
  type StoredCallback,
  takeWaitingCallbacks,
} from './store.ts'

/**
 * done: the provider's answer is known and applied. again: the provider could not be asked, or gave no trustworthy answer.
 * unknown token: the token names nothing of this provider's.
 */
export type CallbackOutcome = 'done' | 'again' | 'unknown token'

/** Acts on a callback by asking the provider. */
export type OnCallback = (provider: string, token: string) => Promise<CallbackOutcome>

export interface CallbackActions {
  readonly onCallback: OnCallback
  /** The provider could not be asked for as long as it may change its word: puts what the callback is about before a person. */
  readonly onUnanswered: (provider: string, token: string) => Promise<void>
}

export interface CallbackHandler extends CallbackActions {
  /** Whether we made this token. Told without the database, so that a stranger's posts cost nothing and leave nothing. */
  readonly recognises: (token: string) => boolean
}

/** How long a callback may be in work before another round takes it up. */
const RETRY_AFTER_MS = CALL_LEASE_MS

/** Until a provider's word about a charge or a refund is final, a callback that could not be acted on is tried again. */
export const FINALITY_MS = 72 * 60 * 60 * 1000
const pauses = { leastMs: RETRY_AFTER_MS, mostMs: 6 * 60 * 60 * 1000, untilMs: FINALITY_MS }

/** How many kept callbacks a process goes through at once. */
const PLACES = 20
const KEPT = 'kept callback'

/** A provider sends all its callbacks from a few addresses. One that is refused is made up for by the look-ups. */
const CALLBACKS: Limit = { name: 'callbacks', quota: 60_000, windowMs: 60_000 }

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
  backgroundTasks: BackgroundTasks,
  handler: CallbackHandler,
): void {
  const refused = createRefusalCounter(ctx, backgroundTasks)
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES },
      (_request, body, done) => done(null, body),
    )
    const onRequest = admitPerAddressInMemory(ctx, CALLBACKS)
    scope.post<{ Params: { provider: string; token: string } }>(
      '/callbacks/:provider/:token',
      { onRequest },
      async (request, reply) => {
        const { provider, token } = request.params
        if (!providers.has(provider) || !/^[\w-]{1,120}$/.test(token)) throw new AppError('not_found')
        const answer = providers.byId(provider).callbackReply
        reply.status(answer.status).header('content-type', answer.contentType)
        if (!handler.recognises(token)) {
          refused(provider)
          return reply.send(answer.body)
        }
        const callback = { id: ctx.ids.next(CallbackId), provider, token }
        const headers = Object.fromEntries(keptHeaders.map((name) => [name, request.headers[name] ?? null]))
        const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
        const begun = await insertCallback(ctx.db, { ...callback, headers, body }, RETRY_AFTER_MS)
        if (begun) backgroundTasks.start('callback', process(ctx, begun, handler))
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
  backgroundTasks: BackgroundTasks,
  actions: CallbackActions,
): Promise<{ gone: Promise<unknown> }> {
  const free = PLACES - backgroundTasks.count(KEPT)
  const taken = await takeWaitingCallbacks(ctx.db, RETRY_AFTER_MS, free)
  const begun = taken.map((callback) => process(ctx, callback, actions))
  for (const each of begun) backgroundTasks.start(KEPT, each)
  return { gone: Promise.allSettled(begun) }
}

async function process(ctx: Ctx, callback: StoredCallback, actions: CallbackActions): Promise<void> {
  const { id, provider, token } = callback
  try {
    const outcome = await actions.onCallback(provider, token)
    if (outcome !== 'again')
      return await finishCallback(ctx.db, id, outcome === 'done' ? 'applied' : 'unmatched')
  } catch (error) {
    await postpone(ctx, callback, actions)
    throw error
  }
  await postpone(ctx, callback, actions)
}

/** Leaves it for later, until its provider's word is final. Then a person has to ask. */
async function postpone(
  ctx: Ctx,
  { id, provider, token }: StoredCallback,
  actions: CallbackActions,
): Promise<void> {
  if (!(await postponeCallback(ctx.db, id, pauses))) return
  ctx.log.error(
    { provider, callbackId: id },
    'a callback could not be acted on in time; a person has to look',
  )
  await actions.onUnanswered(provider, token)
  await finishCallback(ctx.db, id, 'unanswered')
}

const COUNT_PAUSE_MS = 10_000

/** Counts callbacks whose token the gateway never made, and writes the counts after ten seconds. */
function createRefusalCounter(ctx: Ctx, backgroundTasks: BackgroundTasks): (provider: string) => void {
  const counts = new Map<string, number>()
  const write = (): void => {
    for (const [provider, count] of counts)
      backgroundTasks.start('callback refusals', countRefusals(ctx.db, provider, count))
    counts.clear()
  }
  return (provider) => {
    if (counts.size === 0) setTimeout(write, COUNT_PAUSE_MS).unref()
    counts.set(provider, (counts.get(provider) ?? 0) + 1)
  }
}
