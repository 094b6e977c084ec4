import type { Database } from '../../platform/db/database.ts'
import type { Figures, Sample } from '../../platform/metrics/figures.ts'
import { balancesLagMs } from './store-balances.ts'
import { type ComparisonResult, comparisonResults } from './store-comparisons.ts'

/** @param dbs of each database with rows of accounts */
export const ledgerMetrics = (dbs: readonly Database[]): Figures[] => [
  {
    name: 'ledger',
    readsDatabase: true,
    metrics: {
      muripo_balances_lag_seconds: {
        type: 'gauge',
        help: 'Age of the oldest transfer that is not in the balances',
      },
      muripo_ledger_discrepancies: {
        type: 'gauge',
        help: 'Discrepancies that the last comparisons of the ledger found, in all environments',
        labels: ['check', 'environment'],
      },
      muripo_ledger_compared_timestamp_seconds: {
        type: 'gauge',
        help: 'Time of the last comparison of the ledger, of the environment whose comparison is oldest',
        labels: ['check', 'environment'],
      },
    },
    async read() {
      const lags = await Promise.all(dbs.map((db) => balancesLagMs(db.kysely)))
      const results = (await Promise.all(dbs.map((db) => comparisonResults(db.kysely)))).flat()
      const compared = Map.groupBy(results, ({ check, environment }) => `${check} ${environment}`)
      const samples = (value: (of: ComparisonResult[]) => number): Sample[] =>
        [...compared.values()].map((of) => ({
          labels: { check: of[0]?.check ?? '', environment: of[0]?.environment ?? '' },
          value: value(of),
        }))
      return {
        muripo_balances_lag_seconds: [{ value: Math.max(0, ...lags) / 1000 }],
        muripo_ledger_discrepancies: samples((of) => of.reduce((sum, each) => sum + each.discrepancies, 0)),
        muripo_ledger_compared_timestamp_seconds: samples(
          (of) => Math.min(...of.map(({ comparedAt }) => comparedAt.getTime())) / 1000,
        ),
      }
    },
  },
]
