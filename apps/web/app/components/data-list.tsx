// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table lose their roles when they are laid out as cards
// biome-ignore-all lint/a11y/useFocusableInteractive: the controls of the rows receive the focus
import { VisuallyHidden } from '@mantine/core'
import type { CSSProperties, ReactNode, Ref } from 'react'
import styles from './data-list.module.css'

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

interface DataListProps<Item> {
  readonly label: string
  /** The class with the grid template of the rows. */
  readonly className: string | undefined
  readonly columns: readonly Column<Item>[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** For a list that receives the focus when the focused row is removed. */
  readonly ref?: Ref<HTMLDivElement>
}

/** A table where there is room for one, otherwise cards: the same elements, in a layout that the style sheet determines. */
export const DataList = <Item,>({ label, className, columns, items, keyOf, ref }: DataListProps<Item>) => (
  <div role="table" aria-label={label} className={className} ref={ref} tabIndex={ref ? -1 : undefined}>
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
