import type { AccountSession } from '@muripo/contract/account'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { endAccountSession, endAllAccountSessions, useSessions } from '../../api/account.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useErrorToast } from '../../components/error-toast.ts'
import { IconDeviceDesktop, IconDeviceMobile } from '../../components/icons.ts'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, row, surface } from '../../components/ui/classes.ts'
import { Confirm } from '../../components/ui/confirm.tsx'
import { type Column, DataList } from '../../components/ui/data-list.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { capitalise } from '../../lib/format.ts'
import { useCommonText } from '../../lib/page-text.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { session } from '../../session/session.ts'
import rows from './rows.module.css'
import { Section } from './section.tsx'
import { type SettingsText, useSettingsText } from './text.ts'

export function Sessions() {
  const t = useSettingsText()
  const query = useSessions()
  const sessions = query.data
  const [isConfirming, setConfirming] = useState(false)
  const columns = useSessionColumns()
  return (
    <Section title={t('sessions')} about={t('sessionsAbout')} query={query}>
      <DataList
        label={t('sessions')}
        className={rows.sessions}
        columns={columns}
        items={sessions}
        keyOf={({ _id }) => _id}
        loadingRows={1}
      />
      <div className={`${rows.foot} ${row('wrap', 'centre', 'between', 'gap16', 'rows12')}`}>
        <p className={font('md', 'quiet')}>{t('everywhereAbout')}</p>
        <Button kind="default" onClick={() => setConfirming(true)}>
          {t('everywhereButton')}
        </Button>
      </div>
      <SignOutEverywhere opened={isConfirming} onClose={() => setConfirming(false)} />
    </Section>
  )
}

function useEndSession() {
  const t = useSettingsText()
  const cache = useQueryClient()
  const toastError = useErrorToast()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ _id }: AccountSession) => endAccountSession(_id),
    onSuccess: (_, { _id, browser }) => {
      cache.setQueryData<AccountSession[]>(queryKeys.sessions, (known) =>
        known?.filter((each) => each._id !== _id),
      )
      dashboardToast.success(t('sessionEnded', { device: deviceName(browser, t) }))
    },
    onError: toastError,
  })
  return {
    ending: isPending ? variables : undefined,
    end: (session: AccountSession) => isPending || mutate(session),
  }
}

function useSessionColumns(): readonly Column<AccountSession>[] {
  const t = useSettingsText()
  const dashboard = useDashboardText()
  const { ending, end } = useEndSession()
  const fact = { isQuiet: true, className: rows.fact }
  return [
    {
      title: t('device'),
      area: 'name',
      className: `${rows.name} ${row('centre', 'gap12')} ${font('md', 'medium', 'anywhere')}`,
      placeholder: 'icon',
      cell: (session) => <Device session={session} />,
    },
    {
      title: t('signedInAt'),
      cardTitle: t('signedInAtCard'),
      area: 'signed-in',
      ...fact,
      cell: ({ signedInAt }) => <Time at={signedInAt} />,
    },
    {
      title: t('lastUsed'),
      cardTitle: t('lastUsedCard'),
      area: 'last-used',
      ...fact,
      cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
    },
    {
      title: t('address'),
      cardTitle: t('addressCard'),
      area: 'address',
      ...fact,
      cell: ({ network }) => network ?? t('addressUnknown'),
    },
    {
      title: dashboard('actions'),
      isTitleHidden: true,
      area: 'actions',
      className: rows.actions,
      placeholder: 'none',
      cell: (session) =>
        !session.current && (
          <EndButton session={session} running={ending === session} onClick={() => end(session)} />
        ),
    },
  ]
}

function Time({ at }: { readonly at: string }) {
  const { exactText, whenText } = useFormats()
  return (
    <time dateTime={at} title={exactText(at)}>
      {whenText(at).replace(/^(Today|Yesterday)/, (day) => day.toLowerCase())}
    </time>
  )
}

function Device({ session: { browser, current } }: { readonly session: AccountSession }) {
  const t = useSettingsText()
  const Icon = isHandheld(browser) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <>
      <span className={`${rows.icon} ${surface('inset', 'tinted')}`}>
        <Icon size={20} stroke={1.75} aria-hidden />
      </span>
      <span className={`${rows.device} ${row('wrap')}`}>
        {deviceName(browser, t)}
        {current && <span className={`${rows.current} ${font('xs')}`}>{t('thisDevice')}</span>}
      </span>
    </>
  )
}

interface EndButtonProps {
  readonly session: AccountSession
  readonly running: boolean
  readonly onClick: () => void
}

function EndButton({ session, running, onClick }: EndButtonProps) {
  const t = useSettingsText()
  return (
    <div className={`${rows.buttons} ${row('wrap', 'gap8')}`}>
      <Button
        kind="default"
        size="small"
        aria-label={t('endSessionNamed', { device: deviceName(session.browser, t) })}
        running={running}
        runningLabel={t('endingSession')}
        onClick={onClick}
      >
        {t('endSessionButton')}
      </Button>
    </div>
  )
}

const UNKNOWN = 'an unknown browser'

/** The server's "Chrome on Windows" in the page's language. An old session may have no recorded browser. */
function deviceName(recorded: string | null, t: SettingsText): string {
  const [browser = '', system] = (recorded ?? UNKNOWN).split(' on ')
  if (browser === UNKNOWN) return system ? t('unknownBrowserOn', { system }) : t('unknownBrowser')
  return system ? t('browserOn', { browser: capitalise(browser), system }) : capitalise(browser)
}

const isHandheld = (browser: string | null): boolean => / on (Android|iOS|iPadOS)$/.test(browser ?? '')

interface SignOutEverywhereProps {
  readonly opened: boolean
  readonly onClose: () => void
}

function SignOutEverywhere({ opened, onClose }: SignOutEverywhereProps) {
  const t = useSettingsText()
  const common = useCommonText()
  const toastError = useErrorToast()
  const leaving = useMutation({
    mutationFn: endAllAccountSessions,
    onSuccess: () => session.logOut('signed-out'),
    onError: toastError,
  })
  return (
    <Confirm
      opened={opened}
      title={t('everywhereTitle')}
      verb={t('everywhereButton')}
      working={common('signingOut')}
      running={leaving.isPending}
      danger
      onConfirm={() => leaving.mutate()}
      onClose={onClose}
    >
      <p>{t('everywhereEffect')}</p>
    </Confirm>
  )
}
