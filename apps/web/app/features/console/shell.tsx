import { Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { type Location, type RouteObject, useNavigate, useRoutes } from 'react-router'
import { ErrorBoundary } from '../../components/error-boundary.tsx'
import { PageSpinner } from '../../components/page-spinner.tsx'
import { notice, surface } from '../../components/ui/classes.ts'
import { EmptyState, QueryError } from '../../components/ui/empty-state.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { browserClock } from '../../lib/timing.ts'
import layout from '../../shell/dashboard/dashboard-layout.module.css'
import { useConsoleMay, useMe } from './api.ts'
import styles from './console.module.css'
import { IconLock, IconSearch } from './icons.ts'
import { Sidebar, TopBar } from './navigation.tsx'
import { pages } from './pages.tsx'
import { consoleSession, keepReturnTo } from './session.ts'
import { roleText, useConsoleText } from './text.ts'

/** The frame of the pages for an operator. */
export function Shell({ location }: { readonly location: Location }) {
  const t = useConsoleText()
  const me = useMe()
  useEndOfSession(location)
  if (!me.data)
    return me.error ? (
      <main className={`${styles.shell} ${layout.content}`}>
        <QueryError query={me} />
      </main>
    ) : (
      <PageSpinner />
    )
  return (
    <div className={`${styles.shell} ${layout.shell}`}>
      <a href="#content" className={layout.skip}>
        {t('consoleSkip')}
      </a>
      <Sidebar />
      <TopBar />
      <Content location={location} />
    </div>
  )
}

const CHECK_EVERY_MS = 10_000

/** Leads to the sign-in when the session has ended: by the answer to a call, or without a call in time. */
function useEndOfSession({ pathname, search }: Location): void {
  const navigate = useNavigate()
  const { data: me } = useMe()
  const hasEnded = useSyncExternalStore(
    consoleSession.subscribe,
    consoleSession.hasEnded,
    consoleSession.hasEnded,
  )
  const endsAt = me?.sessionEndsAt
  useEffect(() => {
    if (endsAt === undefined) return
    return browserClock.every(CHECK_EVERY_MS, () => {
      if (consoleSession.isOver(endsAt)) consoleSession.end()
    })
  }, [endsAt])
  useEffect(() => {
    if (!hasEnded) return
    keepReturnTo(pathname + search)
    void navigate('/console/sign-in', { replace: true })
  }, [hasEnded, navigate, pathname, search])
}

/** The content of the page. It receives the focus after a navigation, so that a screen reader reads the page's name. */
function Content({ location }: { readonly location: Location }) {
  const { pathname } = location
  const main = useRef<HTMLElement>(null)
  const opened = useRef(pathname)
  useEffect(() => {
    if (opened.current === pathname) return
    opened.current = pathname
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [pathname])
  const page = useRoutes(routes, location)
  return (
    <main id="content" ref={main} tabIndex={-1} className={layout.content}>
      <FourEyes />
      <ErrorBoundary key={pathname}>
        <Suspense fallback={<PageSpinner isPart />}>{page}</Suspense>
      </ErrorBoundary>
    </main>
  )
}

/** Each page says that decisions need no second operator: to everybody when it is the setting, and to whoever is alone and decides. */
function FourEyes() {
  const t = useConsoleText()
  const { data: me } = useMe()
  const decides = useConsoleMay('console.decide')
  if (me === undefined || me.fourEyes === 'on' || (me.fourEyes === 'one_operator' && !decides)) return null
  return (
    <p role="status" className={`${styles.banner} ${notice()}`}>
      {t(me.fourEyes === 'off' ? 'consoleFourEyesOff' : 'consoleAlone')}
    </p>
  )
}

const routes: RouteObject[] = [
  ...pages.map((each) => ({ path: each.path, element: <Guarded {...each} /> })),
  { path: '*', element: <NoPage /> },
]

function Guarded({ needs, title, page: Page }: (typeof pages)[number]) {
  const t = useConsoleText()
  const { data: me } = useMe()
  if (useConsoleMay(needs)) return <Page />
  return (
    <>
      <PageHeader title={t(title)} />
      <div className={surface('surface')}>
        <EmptyState icon={IconLock} title={t('consoleNotAllowed')}>
          {me && t('consoleNotAllowedText', { role: roleText(me.role, t) })}
        </EmptyState>
      </div>
    </>
  )
}

function NoPage() {
  const t = useConsoleText()
  return (
    <>
      <PageHeader title={t('consoleNoPage')} />
      <div className={surface('surface')}>
        <EmptyState icon={IconSearch} title={t('consoleNoPage')}>
          {t('consoleNoPageText')}
        </EmptyState>
      </div>
    </>
  )
}
