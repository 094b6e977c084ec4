/** The last results of the comparisons of the ledger in this process. */
export interface LedgerComparison {
  record(check: Check, isTests: boolean, discrepancies: number, at: Date): void
  results(): readonly CheckResult[]
}

/** balances: transfers against balances. payments: payments and refunds against transfers. */
export type Check = 'balances' | 'payments'

export interface CheckResult {
  readonly check: Check
  readonly environment: 'live' | 'test'
  readonly discrepancies: number
  readonly at: Date
}

export function createLedgerComparison(): LedgerComparison {
  const results = new Map<string, CheckResult>()
  return {
    record(check, isTests, discrepancies, at) {
      const environment = isTests ? 'test' : 'live'
      results.set(`${check} ${environment}`, { check, environment, discrepancies, at })
    },
    results: () => [...results.values()],
  }
}

/** The results of all shard groups as one: known when each group has one, and as old as the oldest. */
export const allComparisons = (
  groups: readonly Pick<LedgerComparison, 'results'>[],
): Pick<LedgerComparison, 'results'> => ({
  results: () =>
    [
      ...Map.groupBy(
        groups.flatMap((each) => each.results()),
        ({ check, environment }) => `${check} ${environment}`,
      ).values(),
    ]
      .filter((of) => of.length === groups.length)
      .map((of) => ({
        ...(of[0] as CheckResult),
        discrepancies: of.reduce((sum, { discrepancies }) => sum + discrepancies, 0),
        at: new Date(Math.min(...of.map(({ at }) => at.getTime()))),
      })),
})
