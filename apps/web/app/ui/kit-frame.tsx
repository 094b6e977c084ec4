import './frame.css'
import { MantineProvider } from '@mantine/core'
import { Outlet } from 'react-router'
import type { PageHandle } from '../lib/handle.ts'
import { theme } from './theme.ts'
// Not only lazily: a toast that says the network is gone must be here before it goes.
import './toaster.tsx'

export const handle: PageHandle = { kit: true }

/** The pages that are built from the kit. The public ones do without, because their readers pay for each kilobyte. */
export default function KitFrame() {
  return (
    <MantineProvider theme={theme} forceColorScheme="light">
      <Outlet />
    </MantineProvider>
  )
}
