import { paymentMethods } from '@muripo/contract/enums'
import type { DashboardStats } from '@muripo/contract/stats'

/** Round numbers from zero to at least the highest value, few enough to read: 0, 500, 1,000, 1,500. */
export function axisTo(highest: number, mostSteps = 4): readonly number[] {
  const least = highest / mostSteps
  const decade = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 2.5, 5].find((factor) => factor * decade >= least) ?? 10) * decade
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}

type MethodCounts = DashboardStats['topPaymentMethods']

/** The pie for a merchant without payments. */
const sample: MethodCounts = [
  { method: 'MOBILE_MONEY', count: 45 },
  { method: 'BANK_TRANSFER', count: 32 },
  { method: 'CARD', count: 28 },
  { method: 'CASH', count: 51 },
]

export const PALETTE_SIZE = 8

export interface Slice {
  readonly label: string
  /** The method as the list of payments filters it; null where the filter cannot name the slice. */
  readonly method: string | null
  readonly count: number
  /** A part of the whole, from 0 to 1. */
  readonly share: number
  readonly colour: string
  /** The outline in a circle of radius 1 around 0, 0. */
  readonly path: string
  /** A point in the middle of the piece. */
  readonly middle: readonly [x: number, y: number]
}

export interface Pie {
  readonly isSample: boolean
  readonly slices: readonly Slice[]
}

type MethodLabel = (method: string) => string

/** The pieces clockwise from twelve o'clock, in the order of the methods. */
export function pieOf(methods: MethodCounts, methodLabel: MethodLabel): Pie {
  const isSample = methods.length === 0
  const counts = countByLabel(isSample ? sample : methods, methodLabel)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  let before = 0
  const slices = counts.map(({ label, methods, count }, index): Slice => {
    const [from, to] = [before / total, (before + count) / total]
    before += count
    return {
      label,
      method: !isSample && methods.length === 1 ? filterOf(methods[0]) : null,
      count,
      share: count / total,
      colour: `var(--chart-${(index % PALETTE_SIZE) + 1})`,
      path: outline(from, to),
      middle: count === total ? [0, 0] : pointAt((from + to) / 2, 0.6),
    }
  })
  return { isSample, slices }
}

/** The counts by label: two methods may have one label, as the cards do. */
function countByLabel(methods: MethodCounts, methodLabel: MethodLabel) {
  const counts = new Map<string, { label: string; methods: string[]; count: number }>()
  for (const { method, count } of methods) {
    const label = methodLabel(method)
    const known = counts.get(label) ?? { label, methods: [], count: 0 }
    counts.set(label, { label, methods: [...known.methods, method], count: known.count + count })
  }
  return [...counts.values()]
}

const filterOf = (method = ''): string | null =>
  paymentMethods.find((known) => known === method.toLowerCase()) ?? null

/** The point of a turn, from 0 to 1, on a circle. */
function pointAt(turn: number, radius = 1): readonly [number, number] {
  const angle = turn * 2 * Math.PI
  return [rounded(radius * Math.sin(angle)), rounded(-radius * Math.cos(angle))]
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

function outline(from: number, to: number): string {
  // An arc with the same start and end would be empty.
  if (to - from === 1) return 'M0 -1A1 1 0 1 1 0 1A1 1 0 1 1 0 -1Z'
  const [start, end] = [pointAt(from), pointAt(to)]
  return `M0 0L${start.join(' ')}A1 1 0 ${to - from > 0.5 ? 1 : 0} 1 ${end.join(' ')}Z`
}

export function shareText(share: number): string {
  return share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`
}
