import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { Mapping, SourceDefinition } from './mapping.ts'
import { Mapping as MappingSchema } from './mapping.ts'
import type { SourceAccount } from './statement.ts'

export interface StatementSource extends SourceAccount {
  readonly id: string
  readonly kind: 'provider' | 'bank' | 'batches'
  /** The account of the ledger that the statements prove: clearing.PROVIDER or bank.ID. */
  readonly ledgerCode: string
  readonly format: 'csv' | 'xlsx' | 'camt.053'
  readonly timeZone: string
  /** Null for camt.053. */
  readonly mapping: Mapping | null
}

const sources = (db: Queryable) =>
  db
    .selectFrom('statement_sources as source')
    .leftJoin('bank_accounts as bank', 'bank.id', 'source.bank_account')
    .selectAll('source')
    .select('bank.number')
    .orderBy('source.id')

type Row = Awaited<ReturnType<ReturnType<typeof sources>['execute']>>[number]

const sourceOf = (row: Row): StatementSource => ({
  id: row.id,
  kind: row.kind as StatementSource['kind'],
  ledgerCode: row.clearing_code ?? `bank.${row.bank_account}`,
  account: row.number ?? row.account_number,
  currency: row.currency,
  format: row.format as StatementSource['format'],
  timeZone: row.time_zone,
  mapping: row.mapping === null ? null : MappingSchema.parse(row.mapping),
})

export const listSources = async (db: Queryable): Promise<StatementSource[]> =>
  (await sources(db).execute()).map(sourceOf)

/** The source, locked until the end of the transaction, so that its chain grows at one end. */
export async function lockSource(tx: Tx, id: string): Promise<StatementSource | null> {
  const locked = await tx
    .selectFrom('statement_sources')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) return null
  return sourceOf(await sources(tx).where('source.id', '=', id).executeTakeFirstOrThrow())
}

/** Stores a source, or another format and mapping of one. Returns whether it is new. */
export async function storeSource(tx: Tx, id: string, definition: SourceDefinition): Promise<boolean> {
  const { kind, currency, timeZone, format } = definition
  if ('bankAccount' in definition) {
    const { id: bank, number, bic = null, branchCode = null } = definition.bankAccount
    const facts = { number, bic, branch_code: branchCode }
    await tx
      .insertInto('bank_accounts')
      .values({ id: bank, currency, ...facts })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(facts))
      .execute()
  }
  const mapping = 'mapping' in definition ? JSON.stringify(definition.mapping) : null
  const changing = {
    format,
    mapping,
    time_zone: timeZone,
    account_number: 'accountNumber' in definition ? (definition.accountNumber ?? null) : null,
  }
  const isNew =
    (await tx.selectFrom('statement_sources').select('id').where('id', '=', id).executeTakeFirst()) ===
    undefined
  await tx
    .insertInto('statement_sources')
    .values({
      id,
      kind,
      currency,
      clearing_code: 'provider' in definition ? `clearing.${definition.provider}` : null,
      bank_account: 'bankAccount' in definition ? definition.bankAccount.id : null,
      ...changing,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute()
  return isNew
}
