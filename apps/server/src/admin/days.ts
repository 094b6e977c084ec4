import {
  type BusinessDay,
  closeBusinessDays,
  listBusinessDays,
  openDay,
  settledParts,
} from '../modules/ledger/index.ts'
import { type Command, Refused } from './command.ts'
import { aligned, amountText } from './print.ts'

/** The days that `days list` prints. */
const LISTED = 31

export const dayCommands: readonly Command[] = [
  {
    words: 'days list',
    does: 'list the last 31 business days: when they were closed, the next day on which banks pay, and what they moved between merchants and the gateway, without test payments',
    run: async ({ ctx, ctxs }) =>
      tableOf(await listBusinessDays(ctxs.each, LISTED), ctx.config.settlementCutOff),
  },
  {
    words: 'days close',
    does: 'close the business days whose cut-off has passed, as every worker does by itself',
    async run({ ctx, ctxs }) {
      let closed = 0
      for (const each of ctxs.each) closed = Math.max(closed, await closeBusinessDays(each))
      const { date } = await openDay(ctxs.each[0].db.kysely, ctx.config.settlementCutOff)
      const isOpen = `The business day ${date} is open until ${ctx.config.settlementCutOff} in Zimbabwe`
      if (closed === 0) throw new Refused(`${isOpen}. Nothing has changed.`)
      return `Closed ${closed} business day${closed === 1 ? '' : 's'}. ${isOpen}.`
    },
  },
]

const tableOf = (days: readonly BusinessDay[], cutOff: string): string =>
  aligned([
    ['day', 'closed', 'banks pay on', 'currency', ...settledParts, 'owed'],
    ...days.flatMap((day) => {
      const of = [day.date, day.closedAt?.toISOString() ?? `open until ${cutOff}`, day.payableOn ?? 'unknown']
      if (day.parts.size === 0) return [of]
      return [...day.parts].map(([currency, parts]) => {
        const amounts = settledParts.map((part) => parts[part])
        const owed = amounts.reduce((sum, each) => sum + each, 0n)
        return [...of, currency, ...[...amounts, owed].map((minor) => amountText(minor, currency))]
      })
    }),
  ])
