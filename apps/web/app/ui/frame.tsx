import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet, PrefetchPageLinks, useMatches } from 'react-router'
import type { PageHandle } from '../lib/handle.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session/session.ts'
import { useSessionLife } from '../lib/session/use-session-life.ts'
import { Chat } from './chat/chat.tsx'
import styles from './floats.module.css'
import { ToTop } from './to-top.tsx'

const Toaster = lazy(() => import('./toaster.tsx'))

/** Everything that a person with a browser sees but the checkout: what floats over the pages, and what the session's life says. */
export default function Frame() {
  useSessionLife()
  const signedIn = useSession().status === 'authenticated'
  return (
    <>
      <Outlet />
      {/* A session may end because the network is gone; the way home must be here by then. */}
      {signedIn && <PrefetchPageLinks page={paths.home} />}
      <div className={styles.floats}>
        <ToTop />
        <Chat />
      </div>
      {useToaster() && (
        <Suspense>
          <Toaster />
        </Suspense>
      )}
    </>
  )
}

/** Pages of the kit may say something at any time; on the others only a session's end does. Once there, it stays. */
function useToaster(): boolean {
  const onKitPage = useMatches().some((match) => (match.handle as PageHandle | undefined)?.kit)
  const signedIn = useSession().status === 'authenticated'
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    if (onKitPage || signedIn) setWanted(true)
  }, [onKitPage, signedIn])
  return wanted
}
