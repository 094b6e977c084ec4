import { Button, Skeleton } from '@mantine/core'
import type { AccountSession } from '@muripo/contract/account'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { endAccountSession, endAllAccountSessions, useSessions, useTimeZone } from '../../api/account.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { BusyButton } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { IconDeviceDesktop, IconDeviceMobile } from '../../components/icons.ts'
import panel from '../../components/panel.module.css'
import { dashboardToast, toastError } from '../../components/toast.ts'
import { capitalise, exactText, whenText } from '../../lib/format.ts'
import { session } from '../../session/session.ts'
import rows from './rows.module.css'
import { Section } from './section.tsx'
import styles from './sessions.module.css'

export function Sessions() {
  const cache = useQueryClient()
  const { data: sessions, error, isFetching, refetch } = useSessions()
  const list = useRef<HTMLUListElement>(null)
  const [asked, setAsked] = useState(false)
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
      error={error && !sessions ? { text: error.message, onRetry: refetch, retrying: isFetching } : null}
    >
      <ul ref={list} tabIndex={-1} aria-label="Sessions" className={rows.list}>
        {sessions ? (
          sessions.map((session) => (
            <SessionRow
              key={session._id}
              session={session}
              ending={ending.isPending && ending.variables._id === session._id}
              onEnd={() => ending.isPending || ending.mutate(session)}
            />
          ))
        ) : (
          <SessionSkeleton />
        )}
      </ul>
      <div className={rows.foot}>
        <p>Signing out everywhere ends this session, too.</p>
        <Button variant="default" onClick={() => setAsked(true)}>
          Sign Out Everywhere
        </Button>
      </div>
      <SignOutEverywhere opened={asked} onClose={() => setAsked(false)} />
    </Section>
  )
}

interface SessionRowProps {
  readonly session: AccountSession
  readonly ending: boolean
  readonly onEnd: () => void
}

export function SessionRow({ session, ending, onEnd }: SessionRowProps) {
  const { browser, network, signedInAt, lastUsedAt, current } = session
  const Icon = isHandheld(browser) ? IconDeviceMobile : IconDeviceDesktop
  const name = deviceName(browser)
  return (
    <li className={rows.row}>
      <span className={rows.icon}>
        <Icon size={20} stroke={1.75} aria-hidden />
      </span>
      <div className={rows.words}>
        <p className={rows.name}>
          {name}
          {current && <span className={styles.current}>This device</span>}
        </p>
        <p className={rows.facts}>
          <span>
            Signed in <Moment at={signedInAt} />
          </span>
          <span>
            Last used <Moment at={lastUsedAt} />
          </span>
          {network && <span>Address {network}</span>}
        </p>
      </div>
      {!current && (
        <div className={rows.actions}>
          <BusyButton
            variant="default"
            size="sm"
            className={panel.rowButton ?? ''}
            aria-label={`Sign out ${name}`}
            running={ending}
            runningLabel="Signing out..."
            onClick={onEnd}
          >
            Sign out
          </BusyButton>
        </div>
      )}
    </li>
  )
}

function Moment({ at }: { readonly at: string }) {
  const timeZone = useTimeZone()
  return (
    <time dateTime={at} title={exactText(at, timeZone)}>
      {whenText(at, timeZone).replace(/^(Today|Yesterday)/, (day) => day.toLowerCase())}
    </time>
  )
}

export const SessionSkeleton = () => (
  <li className={rows.row}>
    <Skeleton h={40} w={40} radius={10} />
    <div className={rows.words}>
      <Skeleton h={14} w={160} my={5} />
      <Skeleton h={12} w="80%" my={4} />
    </div>
  </li>
)

/** A session may be older than the record of browsers. */
export const deviceName = (browser: string | null): string => capitalise(browser ?? 'an unknown browser')

export const isHandheld = (browser: string | null): boolean => / on (Android|iOS|iPadOS)$/.test(browser ?? '')

interface SignOutEverywhereProps {
  readonly opened: boolean
  readonly onClose: () => void
}

export function SignOutEverywhere({ opened, onClose }: SignOutEverywhereProps) {
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
