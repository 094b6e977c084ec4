import { IncidentId } from '@muripo/contract/ids'
import type { IncidentStatus } from '@muripo/contract/site'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { insertIncident, insertUpdate, lockOpenIncident } from '../store-incidents.ts'

/** Publishes a new incident on the status page. */
export const openIncident = (ctx: Ctx, actor: Actor, title: string, message: string): Promise<IncidentId> =>
  ctx.db.tx(async (tx) => {
    const id = ctx.ids.next(IncidentId)
    const first = { status: 'investigating', message, at: ctx.clock.now() } as const
    await insertIncident(tx, id, title, first)
    await audit(ctx, tx, actor, {
      action: 'incident.opened',
      subject: id,
      accountId: null,
      details: { title, message },
    })
    return id
  })

/**
 * Publishes an update of an open incident; the status `resolved` closes it.
 * @returns false when no incident of this id is open
 */
export const updateIncident = (
  ctx: Ctx,
  actor: Actor,
  id: IncidentId,
  status: IncidentStatus,
  message: string,
): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    const updates = await lockOpenIncident(tx, id)
    if (updates === null) return false
    await insertUpdate(tx, id, updates + 1, { status, message, at: ctx.clock.now() })
    await audit(ctx, tx, actor, {
      action: status === 'resolved' ? 'incident.resolved' : 'incident.updated',
      subject: id,
      accountId: null,
      details: { status, message },
    })
    return true
  })
