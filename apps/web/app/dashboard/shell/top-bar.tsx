import { Drawer, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { IconMenu2 } from '../../ui/icons.ts'
import { Brand } from './brand.tsx'
import { Menu } from './menu.tsx'
import styles from './shell.module.css'

interface TopBarProps {
  readonly onSignOut: () => void
  /** While the question stands over the menu, Escape answers the question. */
  readonly signingOut: boolean
}

/** The shell on a small screen. */
export function TopBar({ onSignOut, signingOut }: TopBarProps) {
  const { key: here } = useLocation()
  // The menu belongs to the visit in which it was opened, so that every way onward closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const opened = openedAt === here
  const close = () => setOpenedAt(null)
  return (
    <header className={styles.topBar}>
      <Brand />
      <UnstyledButton
        className={styles.burger}
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={() => setOpenedAt(here)}
      >
        <IconMenu2 size={24} stroke={1.75} aria-hidden />
      </UnstyledButton>
      <Drawer
        opened={opened}
        onClose={close}
        closeOnEscape={!signingOut}
        position="right"
        size={288}
        padding={16}
        title="Menu"
        closeButtonProps={{ 'aria-label': 'Close menu', size: 44, iconSize: 22 }}
        transitionProps={{ duration: 200 }}
        classNames={{ body: styles.drawerBody ?? '', content: styles.drawer ?? '' }}
      >
        <Menu onSignOut={onSignOut} />
      </Drawer>
    </header>
  )
}
