import type { AccountId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import {
  type AccountSum,
  eachEnvironment,
  findAdjustmentsDrift,
  findDrift,
  findOverdrawn,
  findUnbalanced,
  type LedgerScope,
  type LongTimeout,
  sumAccounts,
  withLongTimeout,
} from '../store-balances.ts'
import { findDaySumsDrift } from '../store-days.ts'

export interface TrialBalance {
  readonly accounts: readonly AccountSum[]
  /** The violated conditions, as sentences; empty when the ledger is in balance. */
  readonly discrepancies: readonly string[]
}

/**
 * The balance of every kind of account in a scope, and the violated conditions.
 * @param ctxs over each database
 */
export async function trialBalance(
  ctxs: readonly Pick<Ctx, 'db'>[],
  scope: LedgerScope,
): Promise<TrialBalance> {
  const sums = new Map<string, AccountSum>()
  const discrepancies = new Set<string>()
  for (const ctx of ctxs) {
    for (const account of await withLongTimeout(ctx.db, (tx) => sumAccounts(tx, scope))) {
      const name = `${account.currency} ${account.code}`
      const { debitMinor = 0n, creditMinor = 0n } = sums.get(name) ?? {}
      sums.set(name, {
        ...account,
        debitMinor: account.debitMinor + debitMinor,
        creditMinor: account.creditMinor + creditMinor,
      })
    }
    for await (const id of eachEnvironment(ctx.db.kysely, scope))
      for (const discrepancy of await discrepanciesOf(ctx, id)) discrepancies.add(discrepancy)
  }
  return {
    accounts: [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum),
    discrepancies: [...discrepancies],
  }
}

/** The conditions that the ledger of an environment violates, as sentences. */
export function discrepanciesOf(
  ctx: Pick<Ctx, 'db'>,
  accountId: AccountId,
  timeout?: LongTimeout,
): Promise<string[]> {
  const compare = async (tx: Tx): Promise<string[]> => {
    const unbalanced = await findUnbalanced(tx, accountId)
    const drift = await findDrift(tx, accountId)
    const days = await findDaySumsDrift(tx, accountId)
    const overdrawn = await findOverdrawn(tx, accountId)
    const adjustments = await findAdjustmentsDrift(tx, accountId)
    return [
      ...unbalanced.map((currency) => `Debits and credits in ${currency} are not equal.`),
      ...drift.map(
        (at) => `${at.code} of ${at.accountId} in ${at.currency} is not the sum of its transfers.`,
      ),
      ...days.map(
        ({ code, currency, date }) =>
          `${code} of ${accountId} in ${currency} on the business day ${date} is not the sum of its transfers.`,
      ),
      ...adjustments.map((id) => `The adjustment ${id} and its transfer disagree.`),
      ...overdrawn.map((at) => `${at.code} of ${at.accountId} in ${at.currency} is overdrawn.`),
    ]
  }
  return withLongTimeout(ctx.db, compare, timeout)
}
