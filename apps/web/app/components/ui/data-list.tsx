// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table lose their roles when they are laid out as cards
// biome-ignore-all lint/a11y/useFocusableInteractive: the controls of the rows receive the focus
import type { CSSProperties, ReactNode } from 'react'
import styles from './data-list.module.css'
import { Skeleton } from './skeleton.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface Column<Item> {
  readonly title: string
  readonly isTitleHidden?: boolean
  /** The grid area of its cells. */
  readonly area: string
  readonly isQuiet?: boolean
  readonly align?: 'end' | 'endInCard'
  readonly className?: string | undefined
  /** A short title beside the value in cards. */
  readonly cardTitle?: string
  /** The form of the placeholder of a cell, which has its height; a line of text without this property. */
  readonly placeholder?: 'badge' | 'button' | 'icon' | 'none'
  readonly cell: (item: Item) => ReactNode
}

const classOf = (...names: (string | false | undefined)[]): string =>
  [styles.cell, ...names].filter(Boolean).join(' ')
const placed = (area: string) => ({ '--area': area }) as CSSProperties

interface TitlesProps {
  readonly columns: readonly Pick<Column<unknown>, 'title' | 'isTitleHidden' | 'area' | 'align'>[]
  readonly 'aria-rowindex'?: number
}

export const Titles = ({ columns, ...row }: TitlesProps) => (
  <div role="row" className={styles.titles} {...row}>
    {columns.map(({ title, isTitleHidden, area, align }) => (
      <div key={area} role="columnheader" className={classOf(align && styles[align])} style={placed(area)}>
        {isTitleHidden ? <VisuallyHidden>{title}</VisuallyHidden> : title}
      </div>
    ))}
  </div>
)

interface CellsProps<Item> {
  readonly item: Item
  readonly columns: readonly Column<Item>[]
  readonly role?: 'cell' | 'gridcell'
}

export const Cells = <Item,>({ item, columns, role = 'cell' }: CellsProps<Item>) =>
  columns.map(({ area, isQuiet, align, className, cardTitle, cell }) => (
    <div
      key={area}
      role={role}
      className={classOf(isQuiet && styles.quiet, align && styles[align], className)}
      style={placed(area)}
      data-title={cardTitle}
    >
      {cell(item)}
    </div>
  ))

export const rowClass = styles.row ?? ''

const placeholders = {
  line: { h: 12, w: 104, my: 4 },
  badge: { h: 24, w: 104, radius: 12 },
  button: { w: 104, className: styles.button },
  icon: { h: 40, w: 40 },
} as const

function Placeholder({ placeholder, align }: Column<never>) {
  if (placeholder === 'none') return null
  const end = align === 'end' ? ({ ml: 'auto' } as const) : {}
  return <Skeleton maw="100%" {...placeholders[placeholder ?? 'line']} {...end} />
}

const loadingRows = Array.from({ length: 16 }, (_, index) => `row-${index}`)

interface LoadingListProps {
  /** The class with the grid template of the rows. */
  readonly className: string | undefined
  readonly columns: readonly Column<never>[]
  readonly rows?: number | undefined
}

/** The titles and the places of the rows of a list that is loading. */
export const LoadingList = ({ className, columns, rows = 5 }: LoadingListProps) => (
  <div className={className} aria-hidden="true">
    <Titles columns={columns} />
    <div className={styles.rows}>
      {loadingRows.slice(0, rows).map((row) => (
        <div key={row} className={rowClass}>
          {columns.map((column) => (
            <div
              key={column.area}
              className={classOf(column.align && styles[column.align], column.className)}
              style={placed(column.area)}
            >
              <Placeholder {...column} />
            </div>
          ))}
        </div>
      ))}
    </div>
  </div>
)

interface DataListProps<Item> {
  readonly label: string
  /** The class with the grid template of the rows. */
  readonly className: string | undefined
  readonly columns: readonly Column<Item>[]
  /** Undefined while they are loading. */
  readonly items: readonly Item[] | undefined
  readonly keyOf: (item: Item) => string
  /** The sentence for screen readers while the items are loading, where the page shows none. */
  readonly loading?: string
  /** The number of rows whose places are shown while the items are loading. */
  readonly loadingRows?: number
}

/** A table where there is room for one, otherwise cards: the same elements, in a layout that the style sheet determines. */
export function DataList<Item>(props: DataListProps<Item>) {
  const { label, className, columns, items, keyOf, loading, loadingRows: rows } = props
  if (!items)
    return (
      <>
        {loading && (
          <VisuallyHidden>
            <p role="status">{loading}</p>
          </VisuallyHidden>
        )}
        <LoadingList className={className} columns={columns} rows={rows} />
      </>
    )
  return (
    <div role="table" aria-label={label} className={className} tabIndex={-1}>
      <div role="rowgroup">
        <Titles columns={columns} />
      </div>
      <div role="rowgroup" className={styles.rows}>
        {items.map((item) => (
          <div key={keyOf(item)} role="row" className={rowClass}>
            <Cells item={item} columns={columns} />
          </div>
        ))}
      </div>
    </div>
  )
}
