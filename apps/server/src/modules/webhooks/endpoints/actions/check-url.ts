import { setTimeout } from 'node:timers/promises'
import { invalidField } from '../../../../platform/errors.ts'
import { bareHost, TargetRefused, type Targets } from '../../../../platform/outbound/targets.ts'
import type { WebhooksCtx } from '../../context.ts'
import type { EventOwner } from '../../events/store-events.ts'
import { addressLookUps, count } from '../limits.ts'

/** Nobody who saves an address waits longer for name servers. */
const LOOK_UP_MS = 2000

/**
 * An address as it is kept: as browsers read it, and not known to be one that must not be called. It is judged again each time something
 * is sent there.
 * @throws AppError validation_failed, rate_limited
 */
export async function checkUrl(ctx: WebhooksCtx, owner: EventOwner, text: string): Promise<string> {
  const url = new URL(text)
  // Never sent, and so of no use to its endpoint.
  url.hash = ''
  const fault = ctx.targets.faultOf(url)
  if (fault !== null) throw invalidField('url', fault)
  // Counted apart from changes, which only what is accepted uses up: the answer says which names mean private machines.
  await count(ctx, addressLookUps, owner.accountId, owner.applicationId)
  const refused = await Promise.race([
    refusalOf(ctx.targets, bareHost(url.hostname)),
    setTimeout(LOOK_UP_MS, null, { ref: false }),
  ])
  if (refused !== null) throw invalidField('url', refused)
  return url.href
}

/** Why a host must not be called. A name that is not found now may be found by the time of the first event. */
async function refusalOf(targets: Targets, host: string): Promise<string | null> {
  try {
    await targets.addressesOf(host)
    return null
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error
    return error.fault === 'address_refused' ? error.message : null
  }
}
