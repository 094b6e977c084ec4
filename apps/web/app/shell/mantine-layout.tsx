import './mantine-layout.css'
import { type MantineColorSchemeManager, MantineProvider } from '@mantine/core'
import { Outlet } from 'react-router'
import { theme } from '../components/theme.ts'
import type { PageHandle } from '../lib/page-meta.ts'
import { useColorScheme } from './color-scheme.ts'

export const handle: PageHandle = { kit: true }

/** The document itself says how it looks; the kit only follows. */
const colorSchemeManager: MantineColorSchemeManager = {
  get: (shown) => shown,
  set: () => {},
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => {},
}

/** The pages that are built from the kit. The public ones do without, because their readers pay for each kilobyte. */
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
