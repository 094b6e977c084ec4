import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useNavigationType } from 'react-router'
import { useMedia } from '../../lib/use-media.ts'

const OVERSCAN_ROWS = 6
/** The row at the top of each list at the time when the user left it. */
const leftAt = new Map<string, number>()

interface VirtualRowsOptions {
  readonly payments: readonly DashboardPayment[]
  /** The key of the list in the browser's history. */
  readonly address: string
  readonly area: RefObject<HTMLElement | null>
  readonly rangeExtractor: (range: Range) => number[]
}

/** Only the rows in view are in the document, so that ten million rows scroll like ten. */
export function useVirtualRows({ payments, address, area, rangeExtractor }: VirtualRowsOptions) {
  const { headHeight, rowHeight } = useRowLayout()
  const isBack = useNavigationType() === 'POP'
  const topRow = useRef(0)
  const rows = useVirtualizer<HTMLElement, HTMLDivElement>({
    count: payments.length,
    getScrollElement: () => area.current,
    getItemKey: useCallback((index: number) => payments[index]?._id ?? index, [payments]),
    estimateSize: () => rowHeight,
    initialOffset: () => (isBack ? (leftAt.get(address) ?? 0) * rowHeight : 0),
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    overscan: OVERSCAN_ROWS,
    rangeExtractor,
    onChange: (list) => {
      topRow.current = list.getVirtualItemForOffset((list.scrollOffset ?? 0) + headHeight)?.index ?? 0
    },
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    // New payments above do not move the rows of a user who has scrolled down; at the top they push the rows down.
    anchorTo: area.current && area.current.scrollTop > 0 ? 'end' : 'start',
  })

  const measuredFor = useRef(rowHeight)
  useLayoutEffect(() => {
    if (measuredFor.current === rowHeight) return
    measuredFor.current = rowHeight
    const top = topRow.current
    rows.measure()
    if (top > 0) rows.scrollToIndex(top, { align: 'start' })
  })

  useEffect(
    () => () => {
      leftAt.set(address, topRow.current)
    },
    [address],
  )
  return rows
}

interface RowKeysOptions {
  readonly payments: readonly DashboardPayment[]
  readonly area: RefObject<HTMLElement | null>
  readonly rows: ReturnType<typeof useVirtualRows>
  /** The row that has the focus, or gets it with the tab key. */
  readonly current: number
  readonly reach: (payment: DashboardPayment) => void
}

/** Moves the focus between rows, which may not be in the document yet; returns the handler of the keys. */
export function useRowKeys({ payments, area, rows, current, reach }: RowKeysOptions) {
  const toFocus = useRef(false)
  useLayoutEffect(() => {
    const row = toFocus.current && area.current?.querySelector(`[data-index="${current}"]`)
    if (!row) return
    toFocus.current = false
    row.querySelector('button')?.focus({ preventScroll: true })
    // The area itself may extend beyond the window.
    row.scrollIntoView({ block: 'nearest' })
  })

  return (event: KeyboardEvent) => {
    const pageRows = rows.range ? rows.range.endIndex - rows.range.startIndex : 1
    const next = rowAfter(event.key, current, pageRows, payments.length - 1)
    const payment = next === null ? undefined : payments[next]
    if (next === null || payment === undefined) return
    event.preventDefault()
    if (next === current) return
    toFocus.current = true
    reach(payment)
    rows.scrollToIndex(next)
  }
}

/** The row to which a key moves the focus; null for other keys. */
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

/** The range with one more row, in order. */
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

/** The estimated height of rows that are not measured yet. The style sheet has the same breakpoints. */
function useRowLayout() {
  const isTable = useMedia('(min-width: 88em)')
  const isWide = useMedia('(min-width: 40em)')
  if (isTable) return { headHeight: 44, rowHeight: 53 }
  return { headHeight: 0, rowHeight: isWide ? 73 : 155 }
}
