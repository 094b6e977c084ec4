import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { panelClass } from './classes.ts'
import styles from './tabs.module.css'

interface TabsProps<Name extends string> {
  /** The name of the row of tabs, for screen readers. */
  readonly label: string
  readonly tabs: readonly { readonly name: Name; readonly label: ReactNode }[]
  readonly current: Name
  readonly onOpen: (name: Name) => void
  /** Whether the content has a distance from the border, which a list has not. */
  readonly isPadded?: boolean
  /** The content of the current tab. */
  readonly children: ReactNode
}

/** The places of a key press, from the place of the focused tab. */
const moves: Readonly<Record<string, (place: number, count: number) => number>> = {
  ArrowRight: (place, count) => (place + 1) % count,
  ArrowLeft: (place, count) => (place + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** A panel with several contents, of which one is in the document. All tabs are in view; the row is one stop of the Tab key. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, current, onOpen, isPadded, children } = props
  const id = useId()
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const place = tabs.findIndex(({ name }) => name === current)
    const next = tabs[moves[event.key]?.(place, tabs.length) ?? -1]
    if (!next) return
    event.preventDefault()
    onOpen(next.name)
    document.getElementById(`${id}-${next.name}`)?.focus()
  }
  return (
    <div className={panelClass}>
      <div role="tablist" aria-label={label} className={styles.row} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === current}
            aria-controls={tab.name === current ? `${id}-panel` : undefined}
            tabIndex={tab.name === current ? 0 : -1}
            className={styles.tab}
            onClick={() => onOpen(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        key={current}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${current}`}
        className={isPadded ? styles.padded : undefined}
      >
        {children}
      </div>
    </div>
  )
}
