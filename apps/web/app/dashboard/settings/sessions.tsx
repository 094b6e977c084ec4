import { Button } from '@mantine/core'
import type { AccountSession } from '@muripo/contract/account'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { dashboardToast } from '../../ui/toast.ts'
import { sayFailure } from '../say-failure.ts'
import { deviceName } from './device-name.ts'
import rows from './rows.module.css'
import { Section } from './section.tsx'
import { SessionRow, SessionSkeleton } from './session-row.tsx'
import { end, sessionsKey, useSessions } from './settings-api.ts'
import { SignOutEverywhere } from './sign-out-everywhere.tsx'

export function Sessions() {
  const cache = useQueryClient()
  const { data: sessions, error, isFetching, refetch } = useSessions()
  const list = useRef<HTMLUListElement>(null)
  const [asked, setAsked] = useState(false)
  const ending = useMutation({
    mutationFn: ({ _id }: AccountSession) => end(_id),
    onSuccess: (_, { _id, browser }) => {
      // The button goes with its row; whoever pressed it goes on from the list.
      list.current?.focus({ preventScroll: true })
      cache.setQueryData<AccountSession[]>(sessionsKey, (known) => known?.filter((each) => each._id !== _id))
      dashboardToast.success(`${deviceName(browser)} was signed out`)
    },
    onError: sayFailure,
  })
  return (
    <Section
      title="Sessions"
      about="Where your account is signed in now. If you do not know one of these, sign it out and change your password."
      busy={!sessions}
      fault={error && !sessions ? { text: error.message, onRetry: refetch, retrying: isFetching } : null}
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
