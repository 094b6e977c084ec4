import type { Database } from '../../platform/db/database.ts'
import type { Figures } from '../../platform/metrics/figures.ts'
import { balancesLagMs } from './store-balances.ts'

export const ledgerMetrics = (db: Database): Figures[] => [
  {
    name: 'ledger',
    readsDatabase: true,
    metrics: {
      muripo_balances_lag_seconds: {
        type: 'gauge',
        help: 'Age of the oldest transfer that is not in the balances',
      },
    },
    read: async () => ({
      muripo_balances_lag_seconds: [{ value: Math.max(0, await balancesLagMs(db.kysely)) / 1000 }],
    }),
  },
]
