import './frame.css'
import { MantineProvider } from '@mantine/core'
import { Outlet } from 'react-router'
import type { PageHandle } from '../lib/handle.ts'
import { theme } from './theme.ts'

export const handle: PageHandle = { kit: true }

/** The pages that are built from the kit. The public ones do without, because their readers pay for each kilobyte. */
export default function KitFrame() {
  return (
    <MantineProvider theme={theme} forceColorScheme="light">
      <Outlet />
    </MantineProvider>
  )
}
