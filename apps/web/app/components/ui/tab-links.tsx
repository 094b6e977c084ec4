import { NavLink } from 'react-router'
import { row } from './classes.ts'
import styles from './tab-links.module.css'

interface TabLinksProps {
  /** The name of the row, for screen readers. */
  readonly label: string
  readonly tabs: readonly { readonly to: string; readonly label: string }[]
}

/** The parts of a page that have addresses of their own, under its title. */
export const TabLinks = ({ label, tabs }: TabLinksProps) => (
  <nav aria-label={label} className={`${styles.row} ${row('gap24')}`}>
    {tabs.map(({ to, label: text }) => (
      <NavLink key={to} to={to} end className={styles.tab ?? ''}>
        {text}
      </NavLink>
    ))}
  </nav>
)
