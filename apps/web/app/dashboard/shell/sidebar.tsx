import { Drawer, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { IconLogout, IconMenu2 } from '../../ui/icons.ts'
import { Wordmark } from '../../ui/mark.tsx'
import { SignOut } from '../../ui/sign-out.tsx'
import { isActive, menu } from './menu.ts'
import styles from './shell.module.css'

function Brand() {
  const { pathname } = useLocation()
  const toTop = () => {
    if (pathname === paths.dashboard) window.scrollTo({ top: 0, behavior: 'smooth' })
  }
  return (
    <Link to={paths.dashboard} className={styles.brand} aria-label="Muripo dashboard" onClick={toTop}>
      <Wordmark size={26} />
    </Link>
  )
}

interface MenuProps {
  readonly onLeave?: () => void
}

function Menu({ onLeave }: MenuProps) {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Dashboard" className={styles.menu}>
      {menu.map(({ label, to, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={styles.entry}
          {...(onLeave ? { onClick: onLeave } : {})}
          {...(isActive(to, pathname) ? { 'aria-current': 'page' as const } : {})}
        >
          <Icon size={20} stroke={1.75} aria-hidden />
          {label}
        </Link>
      ))}
      <SignOut>
        {(ask) => (
          <UnstyledButton className={styles.entry} mt="auto" onClick={ask}>
            <IconLogout size={20} stroke={1.75} aria-hidden />
            Sign Out
          </UnstyledButton>
        )}
      </SignOut>
    </nav>
  )
}

export const Sidebar = () => (
  <aside className={styles.sidebar}>
    <Brand />
    <Menu />
  </aside>
)

export function TopBar() {
  const [opened, setOpened] = useState(false)
  return (
    <header className={styles.topBar}>
      <Brand />
      <UnstyledButton
        className={styles.burger}
        aria-label="Open menu"
        aria-expanded={opened}
        onClick={() => setOpened(true)}
      >
        <IconMenu2 size={24} stroke={1.75} aria-hidden />
      </UnstyledButton>
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        position="right"
        size={288}
        padding={16}
        title="Menu"
        closeButtonProps={{ 'aria-label': 'Close menu', size: 44 }}
        transitionProps={{ duration: 200 }}
        classNames={{ body: styles.drawerBody ?? '', content: styles.drawer ?? '' }}
      >
        <Menu onLeave={() => setOpened(false)} />
      </Drawer>
    </header>
  )
}
