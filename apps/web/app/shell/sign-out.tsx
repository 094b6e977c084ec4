import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { SilentBoundary } from '../components/silent-boundary.tsx'
import { Confirm } from '../components/ui/confirm.tsx'
import { useCommonText } from '../lib/page-text.ts'
import { signOutNow } from '../session/session.ts'

/** A control with a dialog that asks before the sign-out. The dialog is not loaded on demand, because a sign-out must work offline. */
export function SignOut({ children }: { readonly children: (openDialog: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  return (
    <>
      {children(() => setOpen(true))}
      <SilentBoundary>
        <SignOutDialog opened={isOpen} onClose={close} />
      </SilentBoundary>
    </>
  )
}

interface SignOutDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

const SIGN_OUT_DELAY_MS = 1000

/** Signs out a moment after the confirmation, so that the user can read the button's answer. */
function useDelayedSignOut(onClose: () => void) {
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => {
      setLeaving(false)
      onClose()
      signOutNow()
    }, SIGN_OUT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [leaving, onClose])
  return { leaving, signOut: () => setLeaving(true) }
}

export function SignOutDialog({ opened, onClose }: SignOutDialogProps) {
  const t = useCommonText()
  const { leaving, signOut } = useDelayedSignOut(onClose)
  return (
    <Confirm
      opened={opened}
      title={t('signOut')}
      verb={t('signOut')}
      working={t('signingOut')}
      running={leaving}
      closeLabel={null}
      onConfirm={signOut}
      onClose={onClose}
    >
      <p>{t('signOutQuestion')}</p>
    </Confirm>
  )
}
