import type { Database } from '../../platform/db/database.ts'
import type { Figures } from '../../platform/metrics/figures.ts'
import { balancesLagMs } from './store-balances.ts'

/** @param dbs of each shard group */
export const ledgerMetrics = (dbs: readonly Database[]): Figures[] => [
  {
    name: 'ledger',
    readsDatabase: true,
    metrics: {
      muripo_balances_lag_seconds: {
        type: 'gauge',
        help: 'Age of the oldest transfer that is not in the balances',
      },
    },
    async read() {
      const lags = await Promise.all(dbs.map((db) => balancesLagMs(db.kysely)))
      return { muripo_balances_lag_seconds: [{ value: Math.max(0, ...lags) / 1000 }] }
    },
  },
]
