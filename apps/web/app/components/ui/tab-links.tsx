import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import { row } from './classes.ts'
import styles from './tab-links.module.css'

interface TabLinksProps {
  /** The name of the row, for screen readers. */
  readonly label: string
  readonly tabs: readonly { readonly to: string; readonly label: string }[]
}

/** The parts of a page that have addresses of their own, under its title. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  const { pathname } = useLocation()
  const links = useRef<HTMLElement>(null)
  // On a phone the row scrolls: the open tab is in view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another tab
  useEffect(() => {
    const tab = links.current?.querySelector<HTMLElement>('[aria-current=page]')
    if (links.current && tab) links.current.scrollLeft = tab.offsetLeft - links.current.offsetLeft
  }, [pathname])
  return (
    <nav ref={links} aria-label={label} className={`${styles.row} ${row('gap24')}`}>
      {tabs.map(({ to, label: text }) => (
        <NavLink key={to} to={to} end className={styles.tab ?? ''}>
          {text}
        </NavLink>
      ))}
    </nav>
  )
}
