import { MerchantId } from '@muripo/contract/ids'
import { money, toDecimal } from '@muripo/contract/money'
import { type TrialBalance, trialBalance } from '../modules/ledger/index.ts'
import { misbookedPayments } from '../modules/payments/index.ts'
import { parseId } from '../platform/ids.ts'
import { type Command, Refused, UsageError } from './command.ts'
import { oneLine } from './print.ts'

export const ledgerCommands: readonly Command[] = [
  {
    words: 'ledger',
    optional: { merchant: 'MERCHANT', book: 'tests' },
    does: 'what stands on the accounts of all merchants, or of one, and whether the books are in balance; with --book what test keys have made',
    async run({ ctx }, { options }) {
      const merchantId = options.merchant === undefined ? null : parseId(MerchantId, options.merchant)
      if (merchantId === null && options.merchant !== undefined)
        throw new UsageError(`"${oneLine(options.merchant)}" is not the id of a merchant.`)
      if (options.book !== undefined && options.book !== 'tests')
        throw new UsageError('The only book beside the gateway’s own is that of tests: --book tests.')
      const books = { merchantId, tests: options.book === 'tests' }
      const { accounts, faults } = await trialBalance(ctx, books)
      const misbooked = await misbookedPayments(ctx, books)
      const all = [
        ...faults,
        ...misbooked.map((id) => `The ledger says something else of ${id} than it does.`),
      ]
      const table = accounts.length === 0 ? 'Nothing is booked.' : tablesOf(accounts)
      if (all.length > 0) throw new Refused([table, '', 'NOT IN BALANCE', ...all].join('\n'))
      return `${table}\n\nIn balance: what is kept of each account and each payment is what its transfers come to.`
    },
  },
]

function tablesOf(accounts: TrialBalance['accounts']): string {
  return [...Map.groupBy(accounts, ({ currency }) => currency)]
    .map(([currency, of]) => {
      const text = (minor: bigint) => toDecimal(money(minor, currency)).replace(/\B(?=(\d{3})+\.)/g, ',')
      const line = (name: string, debit: bigint, credit: bigint) => [
        name,
        text(debit),
        text(credit),
        text(debit - credit),
      ]
      const sum = (side: 'debitMinor' | 'creditMinor') => of.reduce((total, each) => total + each[side], 0n)
      return aligned([
        [currency, 'debits', 'credits', 'balance'],
        ...of.map(({ code, debitMinor, creditMinor }) => line(code, debitMinor, creditMinor)),
        line('all', sum('debitMinor'), sum('creditMinor')),
      ])
    })
    .join('\n\n')
}

/** The first column to the left, figures to the right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return column === 0 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  '),
    )
    .join('\n')
}
