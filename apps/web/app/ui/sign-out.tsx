import { type ReactNode, useCallback, useState } from 'react'
import { SignOutDialog } from './sign-out-dialog.tsx'

/** A control that asks before it signs out. Also without a network, so what asks is here from the start. */
export function SignOut({ children }: { readonly children: (ask: () => void, asked: boolean) => ReactNode }) {
  const [asked, setAsked] = useState(false)
  const close = useCallback(() => setAsked(false), [])
  return (
    <>
      {children(() => setAsked(true), asked)}
      <SignOutDialog opened={asked} onClose={close} />
    </>
  )
}
