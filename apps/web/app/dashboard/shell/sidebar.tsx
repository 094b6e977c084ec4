import { Brand } from './brand.tsx'
import { Menu } from './menu.tsx'
import styles from './shell.module.css'

interface SidebarProps {
  readonly onSignOut: () => void
}

export const Sidebar = ({ onSignOut }: SidebarProps) => (
  <aside className={styles.sidebar}>
    <Brand />
    <Menu onSignOut={onSignOut} />
  </aside>
)
