import type { Visit } from './visit.ts'

/** The median visit, for each measure separately. */
export function median(visits: readonly Visit[]): Visit {
  const last = visits.at(-1)
  if (!last) throw new Error('there was no visit')
  const middle = (of: (visit: Visit) => number) => {
    const sorted = visits.map(of).toSorted((a, b) => a - b)
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
  }
  return {
    performance: middle((visit) => visit.performance),
    accessibility: middle((visit) => visit.accessibility),
    bestPractices: middle((visit) => visit.bestPractices),
    seo: middle((visit) => visit.seo),
    largestPaintMs: middle((visit) => visit.largestPaintMs),
    layoutShift: middle((visit) => visit.layoutShift),
    blockingMs: middle((visit) => visit.blockingMs),
    scriptBytes: middle((visit) => visit.scriptBytes),
    largestElement: last.largestElement,
    findings: [...new Set(visits.flatMap(({ findings }) => findings))],
  }
}

const scriptLimitKb = 20

/** Missed targets of a page, as text. */
export function misses(page: string, visit: Visit): string[] {
  const scores = [
    ['performance', visit.performance, 95],
    ['accessibility', visit.accessibility, 100],
    ['best practices', visit.bestPractices, 100],
    ['SEO', visit.seo, 100],
  ] as const
  const missed = scores
    .filter(([, score, least]) => !(score >= least))
    .map(([name, score, least]) => `${page}: ${name} ${score}, at least ${least} is wanted`)
  if (!(visit.layoutShift <= 0.001)) missed.push(`${page}: the layout shifts by ${visit.layoutShift}`)
  if (!(visit.scriptBytes <= scriptLimitKb * 1000)) {
    missed.push(`${page}: ${kb(visit.scriptBytes)} kB of JavaScript, at most ${scriptLimitKb} kB are wanted`)
  }
  return missed
}

const kb = (bytes: number) => (bytes / 1000).toFixed(1)

const columns: readonly (readonly [head: string, width: number, cell: (visit: Visit) => string])[] = [
  ['performance', 13, (visit) => String(visit.performance)],
  ['accessibility', 15, (visit) => String(visit.accessibility)],
  ['best practices', 16, (visit) => String(visit.bestPractices)],
  ['SEO', 6, (visit) => String(visit.seo)],
  ['LCP', 9, (visit) => `${(visit.largestPaintMs / 1000).toFixed(2)} s`],
  ['CLS', 7, (visit) => String(Number(visit.layoutShift.toFixed(3)))],
  ['TBT', 9, (visit) => `${Math.round(visit.blockingMs)} ms`],
  ['JavaScript', 13, (visit) => `${kb(visit.scriptBytes)} kB`],
]
const pageWidth = 16

export const head = (): string =>
  `${''.padEnd(pageWidth)}${columns.map(([name, width]) => name.padStart(width)).join('')}   largest paint`

export const row = (page: string, visit: Visit): string =>
  `${page.padEnd(pageWidth)}${columns.map(([, width, cell]) => cell(visit).padStart(width)).join('')}   ${visit.largestElement}`
