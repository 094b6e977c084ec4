import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { lateToast } from '../../ui/late-toast.ts'
import { paths } from '../paths.ts'
import { session, startSessionEngine } from './session.ts'

const EXPIRY_TOAST_MS = 10_000

/** What a person sees of the session's life: the warning, the sentence at its end, and the way home. */
export function useSessionLife(): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      session.onSignedOut((reason, here) => {
        lateToast((toast) =>
          reason === 'inactive'
            ? toast.error('You have been Signed out due to inactivity')
            : toast.success('Successfully signed out'),
        )
        // In another tab a public page may stay; the guard takes care of the rest.
        if (here) void navigate(paths.home)
      }),
    [navigate],
  )
  useEffect(
    () =>
      startSessionEngine(() =>
        lateToast((toast) =>
          toast.blank('Your session will expire soon. Please save your work.', EXPIRY_TOAST_MS),
        ),
      ),
    [],
  )
}
