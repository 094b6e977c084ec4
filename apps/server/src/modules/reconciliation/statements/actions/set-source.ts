import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { SourceDefinition } from '../mapping.ts'
import { StatementRefused } from '../statement.ts'
import { lockSource, storeSource } from '../store-sources.ts'

/**
 * Adds a source, or changes the form of its statements and its account's number. Statements that are stored stay as they were read.
 * @returns whether it is new
 */
export const setSource = (
  ctx: Ctx,
  operator: Actor,
  id: string,
  definition: SourceDefinition,
): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    const before = await lockSource(tx, id)
    const ledgerCode =
      'bankAccount' in definition ? `bank.${definition.bankAccount.id}` : `clearing.${definition.provider}`
    if (
      before &&
      (before.kind !== definition.kind ||
        before.currency !== definition.currency ||
        before.ledgerCode !== ledgerCode)
    )
      throw new StatementRefused(
        `The source ${id} has the kind ${before.kind}, the account ${before.ledgerCode} and the currency ${before.currency}, which do not change: add another source.`,
      )
    const isNew = await storeSource(tx, id, definition)
    await audit(ctx, tx, operator, {
      action: 'statement.source_set',
      subject: id,
      accountId: null,
      details: { definition: JSON.stringify(definition) },
    })
    return isNew
  })
