import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useState } from 'react'

/** The row that a key leads to, from one row of many; null when the key is none of ours. */
export function rowAfter(key: string, current: number, pageRows: number, lastRow: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: pageRows,
    PageUp: -pageRows,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  }
  const step = steps[key]
  return step === undefined ? null : Math.max(0, Math.min(lastRow, current + step))
}

/** The range with one row more, in order. */
export const withRow = (rows: readonly number[], row: number): number[] =>
  rows.includes(row) ? [...rows] : [...rows, row].sort((a, b) => a - b)

/**
 * The one row at which the tab key stops: a stop at each of thousands would never let anyone past the list. It stays in the document
 * wherever the list is scrolled to, so that the focus is not lost with it.
 */
export function useRovingRow(payments: readonly DashboardPayment[]) {
  const [reached, setReached] = useState<string | null>(null)
  const found = useMemo(() => payments.findIndex(({ _id }) => _id === reached), [payments, reached])
  const current = Math.max(found, 0)
  return {
    current,
    reach: useCallback((payment: DashboardPayment) => setReached(payment._id), []),
    withCurrent: useCallback((range: Range) => withRow(defaultRangeExtractor(range), current), [current]),
  }
}

const layouts = [
  { media: '(min-width: 88em)', headHeight: 44, rowHeight: 53 },
  { media: '(min-width: 40em)', headHeight: 0, rowHeight: 73 },
  { media: 'all', headHeight: 0, rowHeight: 155 },
] as const
type RowLayout = (typeof layouts)[number]

const layoutNow = (): RowLayout => layouts.find(({ media }) => window.matchMedia(media).matches) ?? layouts[2]

/** How high rows are about to be until they are measured; the style sheet changes at the same widths. */
export function useRowLayout(): RowLayout {
  const [layout, setLayout] = useState(layoutNow)
  useEffect(() => {
    const update = () => setLayout(layoutNow())
    const queries = layouts.map(({ media }) => window.matchMedia(media))
    for (const query of queries) query.addEventListener('change', update)
    return () => {
      for (const query of queries) query.removeEventListener('change', update)
    }
  }, [])
  return layout
}
