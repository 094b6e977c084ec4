import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import { busyProps } from '../lib/forms.ts'
import { useCommonText } from '../lib/page-text.ts'
import { signOutNow } from '../session/session.ts'
import styles from './sign-out.module.css'

/** A control with a dialog that asks before the sign-out. The dialog is not loaded on demand, because a sign-out must work offline. */
export function SignOut({
  children,
}: {
  readonly children: (openDialog: () => void, isOpen: boolean) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  return (
    <>
      {children(() => setOpen(true), isOpen)}
      <SignOutDialog opened={isOpen} onClose={close} />
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

/** The browser's own dialog: the public pages also show it, and do not load Mantine. */
export function SignOutDialog({ opened, onClose }: SignOutDialogProps) {
  const t = useCommonText()
  const title = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const { leaving, signOut } = useDelayedSignOut(onClose)
  useEffect(() => {
    if (opened) dialog.current?.showModal()
    else dialog.current?.close()
  }, [opened])

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault()
        if (!leaving) onClose()
      }}
      // The event arrives after the closing, and the dialog may be open again by then.
      onClose={() => dialog.current?.open || onClose()}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && !leaving) onClose()
      }}
    >
      <div className={styles.body}>
        <h2 id={title} className={styles.title}>
          {t('signOut')}
        </h2>
        <p className={styles.text}>{t('signOutQuestion')}</p>
        <div className={styles.actions}>
          <button
            type="button"
            className={styles.cancel}
            onClick={() => leaving || onClose()}
            {...busyProps(leaving)}
          >
            {t('cancel')}
          </button>
          <button type="button" className={styles.confirm} onClick={signOut} {...busyProps(leaving)}>
            {t(leaving ? 'signingOut' : 'signOut')}
          </button>
        </div>
      </div>
    </dialog>
  )
}
