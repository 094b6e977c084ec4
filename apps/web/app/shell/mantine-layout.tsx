import './mantine-layout.css'
import { type MantineColorSchemeManager, MantineProvider } from '@mantine/core'
import { Outlet } from 'react-router'
import { useColorScheme } from './color-scheme.ts'
import { theme } from './theme.ts'

/** The document determines the colour scheme; Mantine follows it. */
const colorSchemeManager: MantineColorSchemeManager = {
  get: (shown) => shown,
  set: () => {},
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => {},
}

/** The layout of the pages with Mantine. The public pages do not load it, to keep their script small. */
export default function MantineLayout() {
  const { scheme } = useColorScheme()
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme={scheme}
      forceColorScheme={scheme}
      colorSchemeManager={colorSchemeManager}
    >
      <Outlet />
    </MantineProvider>
  )
}
