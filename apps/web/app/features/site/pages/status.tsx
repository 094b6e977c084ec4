import type { Component, ComponentStatus, getStatus, Incident, IncidentStatus } from '@muripo/contract/site'
import { useEffect, useState } from 'react'
import { sendPublic } from '../../../lib/http.ts'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { Prose } from './prose.tsx'
import styles from './status.module.css'

export const meta = pageMeta({
  title: 'Status · Muripo',
  description:
    'Whether the API, the worker, the database and the payment providers of this gateway are up right now.',
})

export const handle: PageHandle = { onDemand: false }

export default function Status() {
  const reading = useStatus()
  return (
    <Prose title="Status" sentence="How this gateway and the providers behind it are doing right now.">
      <StatusBoard reading={reading} />
      <Incidents incidents={reading.incidents} />
      <h2>What is checked</h2>
      <ul>
        <li>
          <b>API:</b> it answers, which is how this page knows.
        </li>
        <li>
          <b>Worker:</b> it takes up what is due, such as the look-up of a pending payment.
        </li>
        <li>
          <b>Database:</b> it can be written to.
        </li>
        <li>
          <b>Providers:</b> how their latest calls went. When one is down, its payments stay pending, and
          nothing is lost.
        </li>
      </ul>
    </Prose>
  )
}

const words: Readonly<Record<ComponentStatus, string>> = {
  operational: 'Operational',
  degraded: 'Degraded',
  down: 'Down',
}

const headlines = {
  loading: 'Asking...',
  operational: 'Everything is running',
  degraded: 'Something is not right',
  unreachable: 'The API does not answer',
} as const

const incidentWords: Readonly<Record<IncidentStatus, string>> = {
  investigating: 'Investigating',
  identified: 'Cause found',
  monitoring: 'Watching',
  resolved: 'Resolved',
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

const Row = ({ component }: { readonly component: Component }) => (
  <li className={styles.row}>
    <span>{component.name}</span>
    <span className={styles.badge} data-state={component.status}>
      {words[component.status]}
    </span>
  </li>
)

const Announcement = ({ incident: { id, title, updates } }: { readonly incident: Incident }) => (
  <article className={styles.incident} aria-labelledby={id} data-state={updates[0]?.status}>
    <h3 id={id}>{title}</h3>
    <ol className={styles.updates}>
      {updates.map(({ status, message, at }) => (
        <li key={at}>
          <p>
            <b>{incidentWords[status]}:</b> {message}
          </p>
          <time dateTime={at}>{day.format(new Date(at))}</time>
        </li>
      ))}
    </ol>
  </article>
)

const Incidents = ({ incidents }: { readonly incidents: readonly Incident[] }) =>
  incidents.length > 0 && (
    <section aria-labelledby="incidents">
      <h2 id="incidents">Incidents</h2>
      {incidents.map((incident) => (
        <Announcement key={incident.id} incident={incident} />
      ))}
    </section>
  )

function Note({ reading }: { readonly reading: Reading }) {
  if (reading.state === 'loading') return <p>This takes a moment.</p>
  const at = <time dateTime={reading.at.toISOString()}>{time.format(reading.at)}</time>
  return reading.state === 'unreachable' ? (
    <p>
      Payments that are under way are not lost: they are looked up when it is back. Asked at {at}, and again
      every 30 seconds.
    </p>
  ) : (
    <p>As of {at}. Asked again every 30 seconds.</p>
  )
}

function StatusBoard({ reading }: { readonly reading: Reading }) {
  return (
    <section aria-labelledby="now" className={styles.board} data-state={reading.state}>
      <div className={styles.head} aria-live="polite">
        <h2 id="now">{headlines[reading.state]}</h2>
        <Note reading={reading} />
      </div>
      <ul className={styles.rows}>
        {reading.components.map((component) => (
          <Row key={component.id} component={component} />
        ))}
      </ul>
      <noscript>
        <p className={styles.noscript}>
          This page asks by script, which is switched off in this browser. The same answer stands at{' '}
          <a href="/v1/status">/v1/status</a>.
        </p>
      </noscript>
    </section>
  )
}

const AGAIN_MS = 30_000

export type Reading =
  | ({ readonly state: 'loading' } & Shown)
  | ({
      readonly state: 'operational' | 'degraded' | 'unreachable'
      readonly at: Date
    } & Shown)

interface Shown {
  readonly components: readonly Component[]
  readonly incidents: readonly Incident[]
}

/** The API's word about itself, asked again and again; silence is an answer too. */
export function useStatus(): Reading {
  const [reading, setReading] = useState<Reading>({ state: 'loading', components: [], incidents: [] })
  useEffect(() => {
    let gone = false
    const fetchStatus = async () => {
      const { data } = await sendPublic<typeof getStatus>('GET', '/status')
      if (gone) return
      const at = new Date()
      setReading(({ incidents }) =>
        data === null
          ? { state: 'unreachable', components: [{ ...api, checkedAt: at.toISOString() }], incidents, at }
          : { state: data.status, components: data.components, incidents: data.incidents, at },
      )
    }
    void fetchStatus()
    const timer = setInterval(() => void fetchStatus(), AGAIN_MS)
    return () => {
      gone = true
      clearInterval(timer)
    }
  }, [])
  return reading
}

const api = { id: 'api', name: 'API', status: 'down' } as const
