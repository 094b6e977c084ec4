import type { StatusReason } from '@muripo/contract/payments'
import { plusMs } from '../../platform/clock.ts'
import { type Connector, type NotFound, ProviderError, type Reply } from '../providers/index.ts'
import type { PaymentsCtx } from './context.ts'
import type { ProviderCall } from './payment.ts'

/**
 * What is known of a charge or a refund: the provider's word, our own verdict that it failed, or that nothing can be known yet.
 * Only a positive refusal or the proof that nothing was sent is a failure; everything else is unknown and is looked up.
 */
export type CallOutcome =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'failed'; readonly reason: StatusReason; readonly providerStatus: string }
  | { readonly kind: 'unknown'; readonly providerStatus: string; readonly notFoundChecks?: number }

/** What a person has learnt of an attempt that nobody else could decide. */
export interface Decision {
  readonly kind: 'decided'
  readonly verdict:
    | { readonly outcome: 'completed'; readonly reference: string }
    | { readonly outcome: 'failed' }
}

/** A charge that its provider does not know is given up after this many looks in a row, once it is past its life. */
const NOT_FOUND_CHECKS = 2

/** The outcome of a call that moves money. It is made once; nothing here repeats it. */
export async function callProvider(ctx: PaymentsCtx, id: string, call: Promise<Reply>): Promise<CallOutcome> {
  try {
    return { kind: 'reply', reply: keepable(await call) }
  } catch (error) {
    if (!(error instanceof ProviderError)) {
      ctx.log.error({ err: error, id }, 'a connector threw something else than a provider error')
      return { kind: 'unknown', providerStatus: 'connector fault' }
    }
    const providerStatus = keepableText(error.providerCode ?? error.message)
    switch (error.kind) {
      case 'declined':
        return { kind: 'failed', reason: error.reason ?? 'declined', providerStatus }
      case 'invalid':
        ctx.log.error({ err: error, id }, 'a provider refused our request')
        return { kind: 'failed', reason: 'provider_unavailable', providerStatus }
      case 'unavailable':
        return { kind: 'failed', reason: 'provider_unavailable', providerStatus }
      case 'unknown':
        return { kind: 'unknown', providerStatus }
    }
  }
}

/** The outcome of looking a call up. Whatever a look-up fails with says nothing of the charge itself. */
export async function lookUp(
  ctx: PaymentsCtx,
  call: ProviderCall,
  connector: Connector,
  answer: Promise<Reply | NotFound>,
): Promise<CallOutcome> {
  try {
    const found = await answer
    if (found.kind === 'reply') return { kind: 'reply', reply: keepable(found) }
    const notFoundChecks = call.notFoundChecks + 1
    const pastItsLife = ctx.clock.now() > plusMs(call.createdAt, connector.attemptTtlMs)
    return pastItsLife && notFoundChecks >= NOT_FOUND_CHECKS
      ? { kind: 'failed', reason: 'expired', providerStatus: 'not found' }
      : { kind: 'unknown', providerStatus: 'not found', notFoundChecks }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { kind: 'unknown', providerStatus: keepableText(error.providerCode ?? error.message) }
  }
}

/** A provider pads a field with NUL, or cuts a character in half: that must not keep its outcome from being written down. */
const keepableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

function keepable(reply: Reply): Reply {
  const state = Object.entries(reply.state).map(([name, value]) => [
    name,
    typeof value === 'string' ? keepableText(value) : value,
  ])
  return {
    ...reply,
    providerStatus: keepableText(reply.providerStatus),
    providerReference: reply.providerReference === null ? null : keepableText(reply.providerReference),
    state: Object.fromEntries(state),
  }
}
