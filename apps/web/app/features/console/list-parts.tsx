import { type FormEvent, type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { TypedFilter } from '../../components/typed-filter.tsx'
import { Button } from '../../components/ui/button.tsx'
import { font, row, textLinkClass } from '../../components/ui/classes.ts'
import { type Column, DataList } from '../../components/ui/data-list.tsx'
import { QueryError, type QueryState } from '../../components/ui/empty-state.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { isDay } from '../../lib/payment-filters.ts'
import { useConsoleDates } from './dates.ts'
import { IconArrowLeft, IconSearch } from './icons.ts'
import styles from './list-parts.module.css'
import { useConsoleText } from './text.ts'

/** A filter that is in the address, so that a filtered list can be kept, sent, and left by the back button. An empty value is left out. */
export function useAddressFilter(name: string): readonly [value: string, change: (value: string) => void] {
  const [search, setSearch] = useSearchParams()
  const change = (value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { preventScrollReset: true },
    )
  return [search.get(name) ?? '', change]
}

interface FinderProps {
  readonly label: string
  readonly help: string
  readonly value: string
  readonly onFind: (value: string) => void
}

/** A search for exactly one thing: it begins with the button or Enter, and not while somebody types. */
export function Finder({ label, help, value, onFind }: FinderProps) {
  const t = useConsoleText()
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  // The back button changes the address.
  if (shown !== value) {
    setShown(value)
    setTyped(value)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFind(typed.trim())
  }
  return (
    <form className={`${styles.finder} ${row('wrap', 'gap12')}`} onSubmit={submit}>
      <TextField
        className={styles.typed}
        icon={IconSearch}
        label={label}
        help={help}
        type="search"
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={`${styles.buttons} ${row('gap8')}`}>
        <Button submit kind="default">
          {t('consoleFind')}
        </Button>
        {value !== '' && (
          <Button kind="plain" onClick={() => onFind('')}>
            {t('consoleClear')}
          </Button>
        )}
      </div>
    </form>
  )
}

/** The filters above a list, inside its panel. */
export const Controls = ({ children }: { readonly children: ReactNode }) => (
  <div className={`${styles.controls} ${row('wrap', 'gap16')}`}>{children}</div>
)

interface ListProps<Item> extends Omit<Parameters<typeof DataList<Item>>[0], 'loading'> {
  /** The class with the grid templates of the rows. */
  readonly className: string | undefined
  readonly query?: QueryState
  /** In place of a list without items. */
  readonly none?: ReactNode
}

/** A list of a page, or the error or the empty state in its place. */
export function List<Item>({ query, none, className, ...list }: ListProps<Item>) {
  const t = useConsoleText()
  if (query?.error && !list.items) return <QueryError query={query} />
  if (none && list.items?.length === 0) return none
  return <DataList {...list} className={`${styles.list} ${className}`} loading={t('consoleLoadingList')} />
}

/** A column of numbers, which have their title beside them in cards. */
export const figure = <Item,>(title: string, area: string, cell: Column<Item>['cell']): Column<Item> => ({
  title,
  area,
  align: 'end',
  cardTitle: title,
  className: font('numbers'),
  cell,
})

export function When({ at }: { readonly at: string }) {
  const dates = useConsoleDates()
  return <time dateTime={at}>{dates.when(at)}</time>
}

/** The time since a moment, which is its title. */
export function Age({ of }: { readonly of: string }) {
  const dates = useConsoleDates()
  return (
    <time dateTime={of} title={dates.when(of)}>
      {dates.age(of)}
    </time>
  )
}

/** The acts below a list. */
export const Foot = ({ children }: { readonly children: ReactNode }) => (
  <div className={`${styles.more} ${row('wrap', 'gap12')}`}>{children}</div>
)

interface MoreProps {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => unknown
}

/** The next page of a list. */
export function More({ hasNextPage, isFetchingNextPage, fetchNextPage }: MoreProps) {
  const t = useConsoleText()
  return (
    hasNextPage && (
      <Button
        kind="default"
        running={isFetchingNextPage}
        runningLabel={t('working')}
        onClick={() => void fetchNextPage()}
      >
        {t('consoleMore')}
      </Button>
    )
  )
}

interface DayFilterProps {
  readonly label: string
  readonly value: string
  readonly onChange: (day: string) => void
}

/** A day of this browser's time zone. */
export const DayFilter = ({ label, value, onChange }: DayFilterProps) => (
  <TypedFilter
    className={styles.day}
    label={label}
    type="date"
    value={isDay(value) ? value : ''}
    accepts={isDay}
    onEntered={onChange}
  />
)

/** The way back to a list. */
export const BackTo = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <Link to={to} className={`${textLinkClass} ${font('sm', 'medium')}`}>
    <IconArrowLeft size={18} stroke={1.75} aria-hidden />
    {children}
  </Link>
)
