import * as calls from 'virtual:calls/site'
import type { Component, ComponentStatus, Incident, IncidentStatus } from '@muripo/contract/site'
import { useEffect, useState } from 'react'
import { font, row, surface } from '../../../components/ui/classes.ts'
import { sendPublic } from '../../../lib/http.ts'
import type { PageHandle } from '../../../lib/page-meta.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { pagesMeta, Sentence, usePagesText } from '../pages-text.ts'
import { Prose } from './prose.tsx'
import styles from './status.module.css'

export const meta = pagesMeta({ title: 'statusTitle', description: 'statusDescription' })

export const handle: PageHandle = { onDemand: false }

export default function Status() {
  const t = usePagesText()
  const reading = useStatus()
  return (
    <Prose title={t('statusHead')} sentence={t('statusSentence')}>
      <StatusBoard reading={reading} />
      <Incidents incidents={reading.incidents} />
      <h2>{t('checkedTitle')}</h2>
      <ul>
        {checked.map(([name, text]) => (
          <li key={name}>
            <Sentence of={text} values={{ name: <b>{t(name)}</b> }} />
          </li>
        ))}
      </ul>
    </Prose>
  )
}

const words = {
  operational: 'operational',
  degraded: 'degraded',
  down: 'down',
} as const satisfies Readonly<Record<ComponentStatus, string>>

const headlines = {
  loading: 'checking',
  operational: 'allRunning',
  degraded: 'notRight',
  unreachable: 'noAnswer',
} as const

const incidentWords = {
  investigating: 'investigating',
  identified: 'identified',
  monitoring: 'monitoring',
  resolved: 'resolved',
} as const satisfies Readonly<Record<IncidentStatus, string>>

const checked = [
  ['api', 'checkedApi'],
  ['worker', 'checkedWorker'],
  ['database', 'checkedDatabase'],
  ['providers', 'checkedProviders'],
] as const

function Row({ component }: { readonly component: Component }) {
  const t = usePagesText()
  return (
    <li className={`${styles.row} ${row('wrap', 'centre', 'between', 'gap16', 'rows4')}`}>
      <span>{component.name}</span>
      <span className={`${styles.badge} ${font('sm', 'semibold', 'nowrap')}`} data-state={component.status}>
        {t(words[component.status])}
      </span>
    </li>
  )
}

function Announcement({ incident: { id, title, updates } }: { readonly incident: Incident }) {
  const t = usePagesText()
  const { dateText } = useFormats()
  return (
    <article
      className={`${styles.incident} ${surface('surface')}`}
      aria-labelledby={id}
      data-state={updates[0]?.status}
    >
      <h3 id={id}>{title}</h3>
      <ol className={styles.updates}>
        {updates.map(({ status, message, at }) => (
          <li key={at}>
            <p>
              <b>{t(incidentWords[status])}</b> {message}
            </p>
            <time dateTime={at} className={font('sm', 'quiet')}>
              {dateText(at)}
            </time>
          </li>
        ))}
      </ol>
    </article>
  )
}

function Incidents({ incidents }: { readonly incidents: readonly Incident[] }) {
  const t = usePagesText()
  return (
    incidents.length > 0 && (
      <section aria-labelledby="incidents">
        <h2 id="incidents">{t('incidents')}</h2>
        {incidents.map((incident) => (
          <Announcement key={incident.id} incident={incident} />
        ))}
      </section>
    )
  )
}

function Note({ reading }: { readonly reading: Reading }) {
  const t = usePagesText()
  const { exactClockText } = useFormats()
  if (reading.state === 'loading') return <p>{t('takesMoment')}</p>
  const iso = reading.at.toISOString()
  const at = <time dateTime={iso}>{exactClockText(iso)}</time>
  return (
    <p>
      <Sentence of={reading.state === 'unreachable' ? 'unreachable' : 'asOf'} values={{ time: at }} />
    </p>
  )
}

function StatusBoard({ reading }: { readonly reading: Reading }) {
  const t = usePagesText()
  return (
    <section
      aria-labelledby="now"
      className={`${styles.board} ${surface('surface')}`}
      data-state={reading.state}
    >
      <div className={styles.head}>
        <h2 id="now" aria-live="polite">
          {t(headlines[reading.state])}
        </h2>
        <Note reading={reading} />
      </div>
      <ul className={styles.rows}>
        {reading.components.map((component) => (
          <Row key={component.id} component={component} />
        ))}
      </ul>
      <noscript>
        <p className={styles.noscript}>
          <Sentence of="statusNeedsScript" values={{ address: <a href="/v1/status">/v1/status</a> }} />
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

/** The status that the API reports, polled. No answer means that the API is unreachable. */
export function useStatus(): Reading {
  const [reading, setReading] = useState<Reading>({ state: 'loading', components: [], incidents: [] })
  useEffect(() => {
    let gone = false
    const fetchStatus = async () => {
      const { data } = await sendPublic(calls.getStatus)
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
