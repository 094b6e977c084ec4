import './frame.css'
import './toast.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { Outlet, useNavigate } from 'react-router'
import { paths } from '../lib/paths.ts'
import { session } from '../lib/session/session.ts'
import { theme } from './theme.ts'
import { TOAST_LIMIT, toast } from './toast.ts'

/** Everything that a person with a browser sees but the checkout: theme, toasts, and what a sign-out does. */
export default function Frame() {
  const navigate = useNavigate()
  useEffect(
    () =>
      session.onSignedOut((reason) => {
        if (reason === 'inactive') toast.error('You have been Signed out due to inactivity')
        else toast.success('Successfully signed out')
        void navigate(paths.home)
      }),
    [navigate],
  )
  return (
    <MantineProvider theme={theme} forceColorScheme="light">
      <Notifications position="top-center" limit={TOAST_LIMIT} zIndex={1000} containerWidth={460} />
      <Outlet />
    </MantineProvider>
  )
}
