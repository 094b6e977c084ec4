import type { StatementId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { decimalText } from '../amounts.ts'
import { StatementRefused } from '../statement.ts'
import { lockSource } from '../store-sources.ts'
import {
  addTypedLine,
  closeStatement,
  deleteStatement,
  findStatement,
  resolveUnread,
  type StoredStatement,
  type TypedLine,
} from '../store-statements.ts'

/** The line of an unread row as an operator has typed it, or the reason why the row is no line. */
export type Resolution = { readonly line: Omit<TypedLine, 'row'> } | { readonly noLineBecause: string }

/**
 * Resolves an unread row of a partial statement. The last one closes the statement, if its lines then lead to its closing balance.
 * @returns the statement as it is afterwards
 */
export const resolveRow = (
  ctx: Ctx,
  operator: Actor,
  id: StatementId,
  row: number,
  resolution: Resolution,
): Promise<StoredStatement> =>
  ctx.db.tx(async (tx) => {
    const before = await lockPartial(tx, id)
    const text =
      'line' in resolution
        ? `${resolution.line.bookedOn} ${decimalText(resolution.line.netMinor, before.currency)} ${resolution.line.reference ?? ''}`.trim()
        : resolution.noLineBecause
    if (!(await resolveUnread(tx, id, row, { resolution: text, by: operator.name })))
      throw new StatementRefused(`Row ${row} of ${id} is not an unread row: see statements show ${id}.`)
    if ('line' in resolution) await addTypedLine(tx, before, { ...resolution.line, row })
    await audit(ctx, tx, operator, {
      action: 'statement.row_resolved',
      subject: id,
      accountId: null,
      details: { row, ...('line' in resolution ? { line: text } : { noLineBecause: text }) },
    })
    const after = await existing(tx, id)
    if (after.unread > 0) return after
    const reached = after.openingMinor + after.sumMinor
    const inDecimals = (minor: bigint) => decimalText(minor, after.currency)
    if (reached !== after.closingMinor)
      throw new StatementRefused(
        `With row ${row} the lines lead from ${inDecimals(after.openingMinor)} to ${inDecimals(reached)}, but the closing balance is ${inDecimals(after.closingMinor)}: difference ${inDecimals(after.closingMinor - reached)}. Nothing has changed.`,
      )
    await closeStatement(tx, id)
    return existing(tx, id)
  })

/** Removes a partial statement, so that a corrected file can be imported. */
export const discardStatement = (ctx: Ctx, operator: Actor, id: StatementId, reason: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const { sourceId, fileName, lines } = await lockPartial(tx, id)
    await deleteStatement(tx, id)
    await audit(ctx, tx, operator, {
      action: 'statement.discarded',
      subject: id,
      accountId: null,
      details: { source: sourceId, file: fileName, lines, reason },
    })
  })

async function existing(tx: Tx, id: StatementId): Promise<StoredStatement> {
  const statement = await findStatement(tx, id)
  if (!statement) throw new StatementRefused(`There is no statement ${id}.`)
  return statement
}

async function lockPartial(tx: Tx, id: StatementId): Promise<StoredStatement> {
  await lockSource(tx, (await existing(tx, id)).sourceId)
  const statement = await existing(tx, id)
  if (statement.status !== 'partial')
    throw new StatementRefused(`The statement ${id} is closed, and a closed statement does not change.`)
  return statement
}
