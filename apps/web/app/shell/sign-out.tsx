import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import { busy } from '../lib/forms.ts'
import { useCommonText } from '../lib/page-text.ts'
import { signOutNow } from '../session/session.ts'
import styles from './sign-out.module.css'

/** A control that asks before it signs out. Also without a network, so what asks is here from the start. */
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

/** The browser's own dialog, because the public pages show it too and do not load Mantine. */
export function SignOutDialog({ opened, onClose }: SignOutDialogProps) {
  const t = useCommonText()
  const title = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [leaving, setLeaving] = useState(false)

  useEffect(() => {
    if (opened) dialog.current?.showModal()
    else dialog.current?.close()
  }, [opened])
  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => {
      setLeaving(false)
      onClose()
      signOutNow()
    }, SIGN_OUT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [leaving, onClose])

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault()
        if (!leaving) onClose()
      }}
      // The event comes later than the closing, and the dialog may have been opened again.
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
            {...busy(leaving)}
          >
            {t('cancel')}
          </button>
          <button
            type="button"
            className={styles.confirm}
            onClick={() => setLeaving(true)}
            {...busy(leaving)}
          >
            {t(leaving ? 'signingOut' : 'signOut')}
          </button>
        </div>
      </div>
    </dialog>
  )
}
