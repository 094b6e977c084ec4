import { latencyAt, readBudgets, readProviders, recentFigures } from '../modules/providers/index.ts'
import type { Command } from './command.ts'
import { block } from './print.ts'

const MINUTES = 60

export const providerHealthCommands: readonly Command[] = [
  {
    words: 'providers health',
    does: `show the calls to each provider in the last ${MINUTES} minutes: outcomes, latency, breaker, budget, and a check that moves no money`,
    async run({ ctx }) {
      const figures = await recentFigures(ctx.db, MINUTES)
      const budgets = await readBudgets(ctx.db)
      const { all } = await readProviders(ctx)
      const blocks = all.map(async ({ id, name, health }) => {
        const seen = figures.get(id)
        const budget = budgets.get(id)
        const ended = seen ? seen.completed + seen.declined : 0
        return block(`${id}${name === undefined ? '' : `  ${name}`}`, [
          ['check now', health ? await health().catch(() => 'down') : 'no check'],
          ['calls', String(seen?.calls ?? 0)],
          ['without an answer', seen ? shareOf(seen.failed, seen.calls) : ''],
          ['paid', seen ? shareOf(seen.completed, ended) : ''],
          ['declined', seen ? shareOf(seen.declined, ended) : ''],
          ['half within', seen ? durationText(latencyAt(seen, 0.5)) : ''],
          ['95 % within', seen ? durationText(latencyAt(seen, 0.95)) : ''],
          ['too many requests', seen?.busy ? String(seen.busy) : ''],
          ['stopped by the breaker', seen?.blocked ? String(seen.blocked) : ''],
          ['paused until', budget?.pausedUntil ? budget.pausedUntil.toISOString() : ''],
          ['calls left at once', budget ? leftText(budget) : ''],
        ])
      })
      return (await Promise.all(blocks)).join('\n\n')
    },
  },
]

const shareOf = (part: number, whole: number): string =>
  whole === 0 ? String(part) : `${part} (${Math.round((100 * part) / whole)} %)`

function leftText({ level, charges }: { readonly level: number; readonly charges: number | null }): string {
  if (charges === null) return String(Math.floor(level))
  return `${Math.floor(charges)} for charges, ${Math.floor(level - charges)} for other calls`
}

const durationText = (ms: number | null): string =>
  ms === null ? '' : Number.isFinite(ms) ? `${ms / 1000} s` : 'more than 30 s'
