import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { lateToast } from '../../ui/late-toast.ts'
import { session, startSessionEngine } from './session.ts'
import type { SignOutReason } from './store.ts'
import { wayOut } from './way-out.ts'

const EXPIRY_TOAST_MS = 10_000

const said: Readonly<Record<SignOutReason, string>> = {
  'signed-out': 'Successfully signed out',
  inactive: 'You have been Signed out due to inactivity',
  everywhere: 'You are signed out everywhere',
}

/** What a person sees of the session's life: the warning, the sentence at its end, and the way home. */
export function useSessionLife(): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      session.onSignedOut((reason, here) => {
        lateToast((toast) =>
          reason === 'inactive' ? toast.error(said[reason]) : toast.success(said[reason]),
        )
        // In another tab a public page may stay; the guard takes care of the rest.
        if (here) void navigate(wayOut(session.get()))
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
