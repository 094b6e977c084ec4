import translations from 'virtual:translations/console'
import { QueryClientProvider } from '@tanstack/react-query'
import { Activity, useEffect, useState } from 'react'
import { type Location, matchPath, useLocation } from 'react-router'
import { PageSpinner } from '../../components/page-spinner.tsx'
import { SilentBoundary } from '../../components/silent-boundary.tsx'
import { toastStore } from '../../components/toast.ts'
import { keepFocus } from '../../lib/keep-focus.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import { usePageLanguage } from '../../lib/page-text.ts'
import { Toaster } from '../../shell/toaster.tsx'
import { createConsoleQueries } from './api.ts'
import { Enrol } from './doors/enrol.tsx'
import { SignIn } from './doors/sign-in.tsx'
import { addressOf } from './entries.ts'
import { pages } from './pages.tsx'
import { Shell } from './shell.tsx'
import { type ConsoleTitle, useConsoleText } from './text.ts'

export const handle: PageHandle = { dark: true, translations, isConstant: true }
export const meta = () => [{ name: 'robots', content: 'noindex' }, { title: 'Muripo' }]

/** The pages that need no session, by their addresses. */
const doors = {
  '/console/enrol': { title: 'consoleEnrolPage', Door: Enrol },
  '/console/sign-in': { title: 'consoleSignInPage', Door: SignIn },
} as const satisfies Readonly<Record<string, { title: ConsoleTitle; Door: typeof SignIn }>>

const doorAt = (pathname: string) =>
  Object.entries(doors).find(([address]) => matchPath(address, pathname))?.[1]

/** The console of the operators, with a session of its own. Its document is the same for everybody, so that the pages begin in the browser. */
export default function Console() {
  const { isLoading } = usePageLanguage()
  const [isInBrowser, setInBrowser] = useState(false)
  useEffect(() => setInBrowser(true), [])
  useEffect(keepFocus, [])
  const { pathname } = useLocation()
  useEffect(() => toastStore.leave(pathname), [pathname])
  const [queries] = useState(createConsoleQueries)
  return (
    <QueryClientProvider client={queries}>
      {isInBrowser && !isLoading ? (
        <>
          <Title />
          <Rooms />
        </>
      ) : (
        <PageSpinner />
      )}
      <SilentBoundary>
        <Toaster />
      </SilentBoundary>
    </QueryClientProvider>
  )
}

function Title() {
  const t = useConsoleText()
  const { pathname } = useLocation()
  const page = doorAt(pathname) ?? pages.find((each) => matchPath(addressOf(each), pathname))
  return <title>{`${t(page?.title ?? 'consoleNoPage')} · ${t('consoleName')}`}</title>
}

/**
 * The page, or a door. A page at which the session has ended waits hidden behind the door with everything that was typed: the next sign-in of the
 * same operator shows it again.
 */
function Rooms() {
  const location = useLocation()
  const door = doorAt(location.pathname)
  const [kept, setKept] = useState<Location | null>(null)
  if (!door && kept !== location) setKept(location)
  return (
    <>
      {door && <door.Door />}
      {kept && (
        <Activity mode={door ? 'hidden' : 'visible'}>
          <Shell location={door ? kept : location} />
        </Activity>
      )}
    </>
  )
}
