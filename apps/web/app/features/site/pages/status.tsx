import * as calls from 'virtual:calls/site'
import type { Component, ComponentStatus, Incident, IncidentStatus, Status } from '@muripo/contract/site'
import { useEffect, useState } from 'react'
import { font, row, surface } from '../../../components/ui/classes.ts'
import { statusContext } from '../../../lib/context.ts'
import { sendPublic } from '../../../lib/http.ts'
import type { PageHandle } from '../../../lib/page-meta.ts'
import { TimeZoneContext, useFormats } from '../../../lib/use-formats.ts'
import { pagesMeta, Sentence, usePagesText } from '../pages-text.ts'
import type { Route } from './+types/status.ts'
import { Prose } from './prose.tsx'
import styles from './status.module.css'

export const meta = pagesMeta({ title: 'statusTitle', description: 'statusDescription' })

export const handle: PageHandle = { isConstant: false }

export const loader = async ({ context }: Route.LoaderArgs): Promise<Loaded> => ({
  status: await context.get(statusContext)(),
  at: new Date().toISOString(),
})

/** The router fetches the page's data from the gateway, which may be unreachable. */
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) =>
  serverLoader().catch((): Loaded => ({ status: null, at: new Date().toISOString() }))

export default function StatusPage({ loaderData }: { readonly loaderData: Loaded }) {
  const t = usePagesText()
  const reading = useStatus(loaderData)
  return (
    <Prose title={t('statusHead')} sentence={t('statusSentence')}>
      <div data-live>
        <TimeZoneContext value={TIME_ZONE}>
          <StatusBoard reading={reading} />
          <Incidents incidents={reading.incidents} />
        </TimeZoneContext>
      </div>
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

/** The server does not know the reader's time zone. */
const TIME_ZONE = 'Africa/Harare'

const words = {
  operational: 'operational',
  degraded: 'degraded',
  down: 'down',
} as const satisfies Readonly<Record<ComponentStatus, string>>

const headlines = {
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

type ShownComponent = Pick<Component, 'id' | 'name' | 'status'>

function Row({ component }: { readonly component: ShownComponent }) {
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
  const { exactText } = useFormats()
  // Browsers write the same time with other spaces.
  const at = (
    <time dateTime={reading.at} suppressHydrationWarning>
      {exactText(reading.at)}
    </time>
  )
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
    </section>
  )
}

const AGAIN_MS = 30_000

export interface Loaded {
  /** Null when the gateway does not answer. */
  readonly status: Status | null
  readonly at: string
}

interface Reading {
  readonly state: 'operational' | 'degraded' | 'unreachable'
  readonly components: readonly ShownComponent[]
  readonly incidents: readonly Incident[]
  readonly at: string
}

const api = { id: 'api', name: 'API', status: 'down' } as const

const readingOf = ({ status, at }: Loaded, incidents: readonly Incident[]): Reading =>
  status === null
    ? { state: 'unreachable', components: [api], incidents, at }
    : { state: status.status, components: status.components, incidents: status.incidents, at }

/** The status that the API reports, polled. No answer means that the API is unreachable. */
function useStatus(loaded: Loaded): Reading {
  const [reading, setReading] = useState(() => readingOf(loaded, []))
  useEffect(() => {
    let gone = false
    const fetchStatus = async () => {
      const { data } = await sendPublic(calls.getStatus)
      if (gone) return
      const at = new Date().toISOString()
      setReading(({ incidents }) => readingOf({ status: data, at }, incidents))
    }
    const timer = setInterval(() => void fetchStatus(), AGAIN_MS)
    return () => {
      gone = true
      clearInterval(timer)
    }
  }, [])
  return reading
}
