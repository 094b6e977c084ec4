import { setTimeout } from 'node:timers/promises'
import { type ReasonWithText, reasonOf } from '@muripo/locales/errors'
import type { Ctx } from '../../../../platform/ctx.ts'
import { invalidFieldFor } from '../../../../platform/errors.ts'
import { bareHost, TargetRefused, type Targets } from '../../../../platform/outbound/targets.ts'
import type { EventOwner } from '../../events/store-events.ts'
import { addressLookUps, enforceLimit } from '../limits.ts'

/** The context of actions on endpoints: the platform's, with the addresses to which events may be sent. */
export interface WebhooksCtx extends Ctx {
  readonly targets: Targets
}

/** The longest wait for name servers while an address is saved. */
const LOOK_UP_MS = 2000

/**
 * An address as it is stored: normalised as browsers do, and not known to be private. It is checked again at each delivery.
 * @throws AppError validation_failed, rate_limited
 */
export async function checkUrl(ctx: WebhooksCtx, owner: EventOwner, text: string): Promise<string> {
  const url = new URL(text)
  // The fragment would never be sent.
  url.hash = ''
  const error = ctx.targets.errorOf(url)
  if (error !== null) throw invalidFieldFor('url', error)
  // Look-ups have a limit of their own, which refused addresses use too: the response reveals which names belong to private machines.
  await enforceLimit(ctx, addressLookUps, owner.accountId, owner.applicationId)
  const refused = await Promise.race([
    refusalOf(ctx.targets, bareHost(url.hostname)),
    setTimeout(LOOK_UP_MS, null, { ref: false }),
  ])
  if (refused !== null) throw invalidFieldFor('url', refused)
  return url.href
}

/** The reason why a host must not be called. A name that does not resolve now may resolve at the first event. */
async function refusalOf(targets: Targets, host: string): Promise<ReasonWithText | null> {
  try {
    await targets.addressesOf(host)
    return null
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error
    return error.code === 'address_refused' ? reasonOf('urlNotPublic') : null
  }
}
