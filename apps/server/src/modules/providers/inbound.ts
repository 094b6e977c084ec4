import { CallbackId } from '@muripo/contract/ids'
import type { FastifyInstance } from 'fastify'
import type { BackgroundTasks } from '../../platform/async/background-tasks.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { AppError } from '../../platform/errors.ts'
import { acceptRawBodies } from '../../platform/http/server.ts'
import { startDue } from '../../platform/jobs/due-work.ts'
import { admitPerAddressInMemory } from '../../platform/limits/admit.ts'
import type { Limit } from '../../platform/limits/limits.ts'
import { CALL_LEASE_MS, CALLBACK_LEASE_MS } from './calls/deadlines.ts'
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
 * done: the provider's answer was applied. again: the provider did not answer, or its answer is not trustworthy. unknown token: the token
 * belongs to no call of this provider.
 */
export type CallbackOutcome = 'done' | 'again' | 'unknown token'

/** Handles a callback by a look-up at the provider. */
export type OnCallback = (provider: string, token: string) => Promise<CallbackOutcome>

export interface CallbackActions {
  readonly onCallback: OnCallback
  /** The look-up failed until the provider's answer became final: opens an anomaly for an operator. */
  readonly onUnanswered: (provider: string, token: string) => Promise<void>
}

export interface CallbackHandler extends CallbackActions {
  /** Whether the gateway issued this token. The check needs no database, so that forged callbacks cost nothing and leave nothing. */
  readonly recognises: (token: string) => boolean
}

/** A callback whose look-up failed is retried until the provider's answer about the call is final. */
export const FINALITY_MS = 72 * 60 * 60 * 1000
const pauses = { leastMs: CALL_LEASE_MS, mostMs: 6 * 60 * 60 * 1000, untilMs: FINALITY_MS }

/** The number of stored callbacks that a process handles concurrently. */
const PLACES = 20
const STORED = 'stored callback'

/** A provider sends all its callbacks from a few addresses. The scheduled look-ups replace a refused callback. */
const CALLBACKS: Limit = { name: 'callbacks', quota: 60_000, windowMs: 60_000 }

/** Stored headers; none of them contains credentials. */
const storedHeaders = ['content-type', 'user-agent', 'x-forwarded-for', 'date']

/**
 * Receives callbacks. The response is sent as soon as the callback is stored, also for an unknown token: a callback only starts a look-up,
 * and the response reveals nothing.
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
    acceptRawBodies(scope)
    const onRequest = admitPerAddressInMemory(ctx, CALLBACKS)
    scope.post<{ Params: { provider: string; token: string } }>(
      '/callbacks/:provider/:token',
      { onRequest },
      async (request, reply) => {
        const { provider, token } = request.params
        if (!providers.has(provider) || !/^[\w-]{1,120}$/.test(token)) throw new AppError('not_found')
        const { callbackReply: answer, isAuthentic } = providers.byId(provider)
        if (!answer) throw new AppError('not_found')
        reply.status(answer.status).header('content-type', answer.contentType)
        if (!handler.recognises(token) || isAuthentic?.(request.headers) === false) {
          refused(provider)
          return reply.send(answer.body)
        }
        const callback = { id: ctx.ids.next(CallbackId), provider, token }
        const headers = Object.fromEntries(storedHeaders.map((name) => [name, request.headers[name] ?? null]))
        const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
        const begun = await insertCallback(ctx.db, { ...callback, headers, body }, CALLBACK_LEASE_MS)
        if (begun) backgroundTasks.start('callback', process(ctx, begun, handler))
        return reply.send(answer.body)
      },
    )
  })
}

/**
 * Starts to handle stored callbacks that are not finished, after a crash or an outage of the provider, up to the free places. A callback
 * that hangs or fails delays no other: it is retried after those that have waited longer.
 * @returns a promise that resolves when the started callbacks have ended
 */
export async function retryCallbacks(
  ctx: Ctx,
  backgroundTasks: BackgroundTasks,
  actions: CallbackActions,
): Promise<{ gone: Promise<unknown> }> {
  const take = (limit: number) => takeWaitingCallbacks(ctx.db, CALLBACK_LEASE_MS, limit)
  const begun = await startDue(backgroundTasks, STORED, PLACES, take, (each) => process(ctx, each, actions))
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

/** Postpones a callback until the provider's answer is final. Then an operator has to ask. */
async function postpone(
  ctx: Ctx,
  { id, provider, token }: StoredCallback,
  actions: CallbackActions,
): Promise<void> {
  if (!(await postponeCallback(ctx.db, id, pauses))) return
  ctx.log.error(
    { provider, callbackId: id },
    'the look-up after a callback was not answered in time; an operator has to decide',
  )
  await actions.onUnanswered(provider, token)
  await finishCallback(ctx.db, id, 'unanswered')
}

const COUNT_PAUSE_MS = 10_000

/** Counts callbacks with a forged token, and writes the counts after ten seconds. */
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
