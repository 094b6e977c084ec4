import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'

const SignOutDialog = lazy(() => import('./sign-out-dialog.tsx'))

/** A control that asks before it signs out; the dialog comes over the wire only when it is asked for. */
export function SignOut({ children }: { readonly children: (ask: () => void, asked: boolean) => ReactNode }) {
  const [asked, setAsked] = useState<boolean | null>(null)
  const close = useCallback(() => setAsked(false), [])
  return (
    <>
      {children(() => setAsked(true), asked === true)}
      {asked !== null && (
        <Suspense>
          <SignOutDialog opened={asked} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
