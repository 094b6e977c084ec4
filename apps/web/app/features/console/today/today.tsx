import type { Today as TodayReply } from '@muripo/contract/console'
import { Link } from 'react-router'
import { coverClass, font, grid, place, row } from '../../../components/ui/classes.ts'
import { EmptyState, QueryError } from '../../../components/ui/empty-state.tsx'
import { PageHeader, RefreshButton } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { plainAmount } from '../../../lib/format.ts'
import { serverNow } from '../../../lib/timing.ts'
import { useToday } from '../api.ts'
import { useConsoleDates } from '../dates.ts'
import { addressOf, entryOf } from '../entries.ts'
import { IconAlertCircle, IconAlertTriangle, IconChevronRight, IconCircleCheck } from '../icons.ts'
import { bodyClass, LoadingBody, NoneYet } from '../panel-parts.tsx'
import { useConsoleText } from '../text.ts'
import { Signatures } from './signatures.tsx'
import styles from './today.module.css'

/** The work that waits for a person, the services that are unwell, and the volume of the day. Everything has its own address, to which this page leads. */
export default function Today() {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const today = useToday()
  if (today.error && !today.data)
    return (
      <>
        <PageHeader title={t('consoleTodayPage')} />
        <QueryError query={today} />
      </>
    )
  return (
    <>
      <PageHeader title={t('consoleTodayPage')} subtitle={dates.inFull(serverNow())}>
        <RefreshButton loading={today.isFetching} onClick={() => void today.refetch()} />
      </PageHeader>
      <div className={styles.columns}>
        <div className={grid('gap24')}>
          <Waiting waiting={today.data?.waiting} />
          <Unwell unwell={today.data?.unwell} checkedAt={today.dataUpdatedAt} />
        </div>
        <Volume volume={today.data?.volume} />
      </div>
    </>
  )
}

/** The server counts no further. */
const MOST_COUNTED = 100

function Waiting({ waiting }: { readonly waiting: TodayReply['waiting'] | undefined }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const shown = waiting?.filter(({ count }) => count > 0)
  return (
    <Panel title={t('consoleWaiting')} busy={!shown}>
      {!shown && <LoadingBody />}
      {shown?.length === 0 && (
        <EmptyState icon={IconCircleCheck} title={t('consoleNothingWaits')}>
          {t('consoleNothingWaitsText')}
        </EmptyState>
      )}
      {shown && shown.length > 0 && (
        <ul className={place('list')}>
          {shown.map(({ kind, count, oldestAt }) => {
            if (kind === 'proposals') return <Signatures key={kind} />
            const entry = entryOf(kind)
            const name = t('consoleWaitingKind', { kind })
            return (
              <li key={kind} className={`${styles.line} ${row('centre', 'gap12')}`}>
                <span className={`${styles.count} ${font('sm', 'semibold', 'numbers')}`}>
                  {count >= MOST_COUNTED ? t('consoleManyOrMore', { count: MOST_COUNTED }) : count}
                </span>
                <div className={place('grow')}>
                  {entry ? (
                    <Link to={addressOf(entry)} className={`${coverClass} ${font('md', 'semibold')}`}>
                      {name}
                    </Link>
                  ) : (
                    <p className={font('md', 'semibold')}>{name}</p>
                  )}
                  <p className={font('sm', 'quiet')}>{t('consoleWaitingText', { kind })}</p>
                </div>
                {oldestAt && (
                  <time
                    className={font('sm', 'quiet', 'nowrap', 'numbers')}
                    dateTime={oldestAt}
                    title={t('consoleOldest', { time: dates.when(oldestAt) })}
                  >
                    {dates.age(oldestAt)}
                  </time>
                )}
                {entry && <IconChevronRight size={18} stroke={1.75} aria-hidden />}
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

interface UnwellProps {
  readonly unwell: TodayReply['unwell'] | undefined
  readonly checkedAt: number
}

function Unwell({ unwell, checkedAt }: UnwellProps) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  return (
    <Panel title={t('consoleUnwell')} busy={!unwell}>
      {!unwell && <LoadingBody />}
      {unwell?.length === 0 && <NoneYet>{t('consoleWell', { time: dates.clock(checkedAt) })}</NoneYet>}
      {unwell && unwell.length > 0 && (
        <ul className={place('list')}>
          {unwell.map(({ id, name, status }) => {
            const Icon = status === 'down' ? IconAlertCircle : IconAlertTriangle
            return (
              <li key={id} className={`${styles.line} ${row('centre', 'gap12')}`}>
                <Icon size={20} stroke={1.75} aria-hidden data-status={status} />
                <div className={place('grow')}>
                  <p className={font('md', 'semibold')}>{name}</p>
                  <p className={font('sm', 'quiet')}>{t('consoleState', { status })}</p>
                </div>
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

function Volume({ volume }: { readonly volume: TodayReply['volume'] | undefined }) {
  const t = useConsoleText()
  return (
    <Panel title={t('consoleVolume')} busy={!volume}>
      {!volume && <LoadingBody />}
      {volume?.length === 0 && <NoneYet>{t('consoleNoVolume')}</NoneYet>}
      {volume && volume.length > 0 && (
        <div className={`${bodyClass} ${grid('gap20')}`}>
          {volume.map(({ currency, payments, amount }) => (
            <div key={currency}>
              <p className={font('title', 'bold', 'tight', 'snug', 'numbers', 'anywhere')}>
                <span className={font('lg', 'regular', 'quiet')}>{currency}</span> {plainAmount(amount)}
              </p>
              <p className={font('sm', 'quiet')}>{t('consolePaymentsSince', { count: payments })}</p>
            </div>
          ))}
        </div>
      )}
    </Panel>
  )
}
