import type { Currency } from '@muripo/contract/money'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import {
  type AccountSum,
  findDrift,
  findOverdrawn,
  type LedgerScope,
  type LongTimeout,
  sumAccounts,
  withLongTimeout,
} from '../store-balances.ts'

export interface TrialBalance {
  readonly accounts: readonly AccountSum[]
  /** The violated conditions, as sentences; empty when the ledger is in balance. */
  readonly faults: readonly string[]
}

/** The balance of every kind of account in a scope, and the violated conditions. */
export function trialBalance(
  ctx: Pick<Ctx, 'db'>,
  scope: LedgerScope,
  timeout?: LongTimeout,
): Promise<TrialBalance> {
  const compare = async (tx: Tx): Promise<TrialBalance> => {
    const accounts = await sumAccounts(tx, scope)
    const drift = await findDrift(tx, scope)
    const overdrawn = await findOverdrawn(tx, scope)
    return {
      accounts,
      faults: [
        ...unbalanced(accounts).map((currency) => `Debits and credits in ${currency} are not equal.`),
        ...drift.map(
          (at) => `${at.code} of ${at.accountId} in ${at.currency} is not the sum of its transfers.`,
        ),
        ...overdrawn.map((at) => `${at.code} of ${at.accountId} in ${at.currency} is overdrawn.`),
      ],
    }
  }
  return withLongTimeout(ctx.db, compare, timeout)
}

function unbalanced(accounts: readonly AccountSum[]): Currency[] {
  const byCurrency = Map.groupBy(accounts, ({ currency }) => currency)
  return [...byCurrency].flatMap(([currency, of]) =>
    of.reduce((sum, { debitMinor, creditMinor }) => sum + debitMinor - creditMinor, 0n) === 0n
      ? []
      : [currency],
  )
}
