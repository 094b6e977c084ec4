import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import styles from './tabs.module.css'

interface Tab {
  readonly value: string
  readonly label: string
  readonly content: ReactNode
}

interface TabsProps {
  readonly label: string
  /** The first is the one that shows. */
  readonly tabs: readonly [Tab, ...Tab[]]
}

/** Without script all panels stand below each other. */
export function Tabs({ label, tabs }: TabsProps) {
  const [value, setValue] = useState(tabs[0].value)
  const list = useRef<HTMLDivElement>(null)

  const onKeyDown = (event: KeyboardEvent) => {
    const here = tabs.findIndex((tab) => tab.value === value)
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const next = to === undefined ? undefined : tabs.at(to % tabs.length)
    if (next === undefined) return
    event.preventDefault()
    setValue(next.value)
    list.current?.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus()
  }
  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className={styles.list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`tab-${tab.value}`}
            data-value={tab.value}
            aria-selected={tab.value === value}
            aria-controls={`panel-${tab.value}`}
            tabIndex={tab.value === value ? 0 : -1}
            className={styles.tab}
            onClick={() => setValue(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div className={styles.panels}>
        {tabs.map((tab) => (
          <div
            key={tab.value}
            role="tabpanel"
            id={`panel-${tab.value}`}
            aria-labelledby={`tab-${tab.value}`}
            data-active={tab.value === value || undefined}
            className={styles.panel}
          >
            {tab.content}
          </div>
        ))}
      </div>
    </div>
  )
}
