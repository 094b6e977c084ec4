import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Problem } from './problem.ts'
import { inHarare } from './reference.ts'

/** A movement of the merchant's account at a provider. */
export interface Movement {
  readonly id: string
  readonly at: number
  readonly what: 'Sale' | 'Refund' | 'Reversal' | 'Chargeback'
  readonly currency: string
  /** The amount that the payer paid, or got back. */
  readonly minor: number
  readonly reference: string
  /** The merchant's own reference. */
  readonly ours: string
}

const DAY_MS = 86_400_000
const Share = z.coerce.number().int().min(0).max(100).default(0)
const Query = z.strictObject({
  day: z.iso.date(),
  seed: z.coerce.number().int().default(1),
  /** The share of movements, of a hundred, that are on the statement of the day after. */
  late: Share,
  /** The share that are printed and counted twice. */
  doubled: Share,
  /** Lines of the same amount without a reference, on each day with movements. */
  equal: z.coerce.number().int().min(0).max(10).default(0),
  /** The provider keeps so many basis points of a sale. */
  fee: z.coerce.number().int().min(0).max(1000).default(0),
  /** The file ends in the middle. */
  cut: z.stringbool().default(false),
})
type Odd = z.infer<typeof Query>

interface Line extends Pick<Movement, 'at' | 'reference' | 'ours'> {
  readonly day: string
  readonly what: Movement['what'] | 'Charge of the account'
  readonly grossMinor: number
  readonly feeMinor: number
}

const EQUAL_MINOR = -25

const dayOf = (at: number): string => inHarare(at).slice(0, 10)
const decimal = (minor: number): string => (minor / 100).toFixed(2)

/** A number below a hundred that the seed and the movement decide, so that a statement is the same each time. */
const chanceOf = (seed: number, odd: string, id: string): number =>
  createHash('sha256').update(`${seed} ${odd} ${id}`).digest().readUInt32BE(0) % 100

/** The lines of all statements of an account. A day's lines depend on its movements and those of the day before alone. */
function linesOf(movements: readonly Movement[], { seed, late, doubled, equal, fee }: Odd): Line[] {
  const lines = movements.flatMap((movement): Line[] => {
    const { id, at, what, minor, reference, ours } = movement
    const isLate = chanceOf(seed, 'late', id) < late
    const day = dayOf(isLate ? at + DAY_MS : at)
    const [grossMinor, feeMinor] = what === 'Sale' ? [minor, Math.floor((minor * fee) / 10_000)] : [-minor, 0]
    const line = { day, at, what, reference, ours, grossMinor, feeMinor }
    return chanceOf(seed, 'doubled', id) < doubled ? [line, line] : [line]
  })
  const charges = [...new Set(movements.map(({ at }) => dayOf(at)))].flatMap((day) =>
    Array.from(
      { length: equal },
      (): Line => ({
        day,
        at: Date.parse(`${day}T21:00:00Z`),
        what: 'Charge of the account',
        reference: '',
        ours: '',
        grossMinor: EQUAL_MINOR,
        feeMinor: 0,
      }),
    ),
  )
  return [...lines, ...charges].toSorted(
    (one, other) =>
      one.day.localeCompare(other.day) || one.at - other.at || one.reference.localeCompare(other.reference),
  )
}

const netOf = ({ grossMinor, feeMinor }: Line): number => grossMinor - feeMinor
const sumOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + netOf(line), 0)

/** The statement of a day, as CSV. It begins with the balance of all days before it. */
export function writeStatement(account: string, movements: readonly Movement[], odd: Odd): string {
  const { day, cut } = odd
  const all = linesOf(movements, odd)
  const lines = all.filter((line) => line.day === day)
  const openingMinor = sumOf(all.filter((line) => line.day < day))
  let balance = openingMinor
  const rows = lines.map((line) => {
    balance += netOf(line)
    const { at, what, reference, ours, grossMinor, feeMinor } = line
    const amounts = [grossMinor, feeMinor, netOf(line), balance].map(decimal)
    return [reference, inHarare(at).slice(0, 19).replace('T', ' '), what, ...amounts, ours]
  })
  const text = [
    ['Account', account],
    ['Period', day, day],
    ['Opening balance', decimal(openingMinor)],
    ['Receipt', 'Completed', 'What', 'Gross', 'Fee', 'Net', 'Balance', 'Merchant reference'],
    ...rows,
    ['Lines', String(rows.length)],
    ['Closing balance', decimal(balance)],
  ]
    .map((cells) => `${cells.join(',')}\n`)
    .join('')
  return cut ? text.slice(0, Math.floor((text.length * 2) / 3)) : text
}

/** Controls that no real provider has: the statement of an account at a provider, from the provider's records. */
export function statementRoutes(records: Readonly<Record<string, () => Movement[]>>) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Params: { provider: string; currency: string } }>(
      '/:provider/:currency',
      async ({ params: { provider, currency }, query }, reply) => {
        const movements = records[provider]
        if (!movements) throw new Problem(404, `There are statements of ${Object.keys(records).join(', ')}`)
        const own = movements().filter((movement) => movement.currency === currency)
        reply.type('text/csv; charset=utf-8')
        return writeStatement(`${provider}-${currency}`, own, Query.parse(query))
      },
    )
  }
}
