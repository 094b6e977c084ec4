import { Button, Skeleton } from '@mantine/core'
import type { AccountSession } from '@muripo/contract/account'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { endAccountSession, endAllAccountSessions, useSessions, useTimeZone } from '../../api/account.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { BusyButton } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataList } from '../../components/data-list.tsx'
import { useErrorToast } from '../../components/error-toast.ts'
import { IconDeviceDesktop, IconDeviceMobile } from '../../components/icons.ts'
import panel from '../../components/panel.module.css'
import { dashboardToast } from '../../components/toast.ts'
import { capitalise, exactText, whenText } from '../../lib/format.ts'
import { session } from '../../session/session.ts'
import rows from './rows.module.css'
import { Section } from './section.tsx'

export function Sessions() {
  const toastError = useErrorToast()
  const cache = useQueryClient()
  const { data: sessions, error, isFetching, refetch } = useSessions()
  const timeZone = useTimeZone()
  const list = useRef<HTMLDivElement>(null)
  const [isConfirming, setConfirming] = useState(false)
  const ending = useMutation({
    mutationFn: ({ _id }: AccountSession) => endAccountSession(_id),
    onSuccess: (_, { _id, browser }) => {
      // The button is removed with its row, so the focus moves to the list.
      list.current?.focus({ preventScroll: true })
      cache.setQueryData<AccountSession[]>(queryKeys.sessions, (known) =>
        known?.filter((each) => each._id !== _id),
      )
      dashboardToast.success(`${deviceName(browser)} was signed out`)
    },
    onError: toastError,
  })
  return (
    <Section
      title="Sessions"
      about="Where your account is signed in now. If you do not know one of these, sign it out and change your password."
      busy={!sessions}
      error={error && !sessions ? { error, onRetry: refetch, retrying: isFetching } : null}
    >
      {sessions ? (
        <DataList
          ref={list}
          label="Sessions"
          className={rows.sessions}
          columns={sessionColumns(timeZone, {
            ending: ending.isPending ? ending.variables : undefined,
            onEnd: (session) => ending.isPending || ending.mutate(session),
          })}
          items={sessions}
          keyOf={({ _id }) => _id}
        />
      ) : (
        <div className={rows.foot}>
          <Skeleton h={14} w="60%" />
        </div>
      )}
      <div className={rows.foot}>
        <p>Signing out everywhere ends this session, too.</p>
        <Button variant="default" onClick={() => setConfirming(true)}>
          Sign Out Everywhere
        </Button>
      </div>
      <SignOutEverywhere opened={isConfirming} onClose={() => setConfirming(false)} />
    </Section>
  )
}

interface Actions {
  readonly ending: AccountSession | undefined
  readonly onEnd: (session: AccountSession) => void
}

const sessionColumns = (
  timeZone: string | undefined,
  { ending, onEnd }: Actions,
): readonly Column<AccountSession>[] => [
  {
    title: 'Device',
    area: 'name',
    className: rows.name,
    cell({ browser, current }) {
      const Icon = isHandheld(browser) ? IconDeviceMobile : IconDeviceDesktop
      return (
        <>
          <span className={rows.icon}>
            <Icon size={20} stroke={1.75} aria-hidden />
          </span>
          <span className={rows.device}>
            {deviceName(browser)}
            {current && <span className={rows.current}>This device</span>}
          </span>
        </>
      )
    },
  },
  {
    title: 'Signed in',
    cardTitle: 'Signed in',
    area: 'signed-in',
    isQuiet: true,
    className: rows.fact,
    cell: ({ signedInAt }) => <Moment at={signedInAt} timeZone={timeZone} />,
  },
  {
    title: 'Last used',
    cardTitle: 'Last used',
    area: 'last-used',
    isQuiet: true,
    className: rows.fact,
    cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} timeZone={timeZone} />,
  },
  {
    title: 'Address',
    cardTitle: 'Address',
    area: 'address',
    isQuiet: true,
    className: rows.fact,
    cell: ({ network }) => network ?? 'Not known',
  },
  {
    title: 'Actions',
    isTitleHidden: true,
    area: 'actions',
    className: rows.actions,
    cell: (session) =>
      !session.current && (
        <div className={rows.buttons}>
          <BusyButton
            variant="default"
            size="sm"
            className={panel.rowButton ?? ''}
            aria-label={`Sign out ${deviceName(session.browser)}`}
            running={ending === session}
            runningLabel="Signing out..."
            onClick={() => onEnd(session)}
          >
            Sign out
          </BusyButton>
        </div>
      ),
  },
]

interface MomentProps {
  readonly at: string
  readonly timeZone: string | undefined
}

const Moment = ({ at, timeZone }: MomentProps) => (
  <time dateTime={at} title={exactText(at, timeZone)}>
    {whenText(at, timeZone).replace(/^(Today|Yesterday)/, (day) => day.toLowerCase())}
  </time>
)

/** A session may be older than the record of browsers. */
export const deviceName = (browser: string | null): string => capitalise(browser ?? 'an unknown browser')

export const isHandheld = (browser: string | null): boolean => / on (Android|iOS|iPadOS)$/.test(browser ?? '')

interface SignOutEverywhereProps {
  readonly opened: boolean
  readonly onClose: () => void
}

export function SignOutEverywhere({ opened, onClose }: SignOutEverywhereProps) {
  const toastError = useErrorToast()
  const leaving = useMutation({
    mutationFn: endAllAccountSessions,
    onSuccess: () => session.logOut('everywhere'),
    onError: toastError,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title="Sign out everywhere?"
      confirm="Sign Out Everywhere"
      confirming="Signing out..."
      running={leaving.isPending}
      color="danger"
      onConfirm={() => leaving.mutate()}
      onClose={onClose}
    >
      <p>
        Every device that is signed in to your account is signed out at once, and so are you here. Payments go
        on as before: your applications, their keys and their webhook endpoints stay as they are.
      </p>
    </ConfirmDialog>
  )
}
