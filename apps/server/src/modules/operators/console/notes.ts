import { CONSOLE_PAGE } from '@muripo/contract/console'
import * as contract from '@muripo/contract/console-records'
import type { AuditId, MerchantId } from '@muripo/contract/ids'
import type { Reply } from '@muripo/contract/route'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readAudit } from '../../../platform/audit/read-audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { pageOf } from '../../../platform/http/page.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import type { Operator } from '../people/store-operators.ts'
import type { OperatorCaller } from '../people/store-sessions.ts'
import type { ActorBy } from './deps.ts'
import { maskedText } from './masked.ts'
import { merchantWith } from './read-merchants.ts'
import { revealedUntil } from './store-reveals.ts'

export const noteRoutes = (ctx: Ctx, actorBy: ActorBy): Binding<OperatorCaller>[] => [
  bind(contract.listMerchantNotes, async ({ caller, params, query: { cursor } }) => {
    const { id } = await merchantWith(ctx, params.merchantId)
    return answer(200, await pageOfNotes(ctx, caller.operator, id, cursor))
  }),
  bind(contract.writeMerchantNote, async ({ caller, params, body: { note }, request, confirmed }) => {
    const { id } = await merchantWith(ctx, params.merchantId)
    await writeNote(confirmed(ctx), actorBy(caller, request), id, note)
    return answer(204, undefined)
  }),
]

/** A note is an entry of the audit log: nothing changes it, and its merchant does not read it. */
export const writeNote = (ctx: Ctx, operator: Actor, merchantId: MerchantId, note: string): Promise<void> =>
  ctx.db.tx((tx) =>
    audit(ctx, tx, operator, {
      action: 'operator.noted',
      subject: merchantId,
      accountId: merchantId,
      details: { note },
    }),
  )

interface Note {
  readonly id: AuditId
  readonly at: Date
  readonly by: string
  readonly note: string
}

/** The newest first. */
export async function notesOn(
  { db }: Pick<Ctx, 'db'>,
  merchantId: MerchantId,
  limit: number,
  cursor?: AuditId,
): Promise<Note[]> {
  const entries = await readAudit(db.kysely, { subject: merchantId, action: 'operator.noted' }, limit, cursor)
  return entries.map(({ id, at, actor: by, details }) => ({ id, at, by, ...(details as { note: string }) }))
}

async function pageOfNotes(
  ctx: Ctx,
  operator: Operator,
  merchantId: MerchantId,
  cursor?: AuditId,
): Promise<Reply<typeof contract.listMerchantNotes>> {
  const isRevealed = (await revealedUntil(ctx.db.kysely, operator.id, merchantId)) !== null
  const { page, last } = pageOf(await notesOn(ctx, merchantId, CONSOLE_PAGE + 1, cursor), CONSOLE_PAGE)
  return {
    notes: page.map(({ id, at, by, note }) => ({
      id,
      at: at.toISOString(),
      by,
      note: isRevealed ? note : maskedText(note),
    })),
    nextCursor: last?.id ?? null,
  }
}
