import type { JobRun } from '@muripo/contract/console-operation'
import { font } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import type { CsvColumns } from '../../../lib/csv-text.ts'
import { useConsoleDates } from '../dates.ts'
import { ExportButton } from '../export-button.tsx'
import { IconClockPlay } from '../icons.ts'
import { Controls, Foot, figure, List, More, useAddressFilter } from '../list-parts.tsx'
import { runsPage, useRuns } from '../record-queries.ts'
import { type ConsoleText, useConsoleText } from '../text.ts'
import styles from './jobs.module.css'

/** The last run of each job and task, or the newest runs of a filter. */
export function Runs() {
  const t = useConsoleText()
  const [name, setName] = useAddressFilter('name')
  const [typed, setOutcome] = useAddressFilter('outcome')
  const outcome = typed === 'failed' ? ('failed' as const) : undefined
  const filter = { ...(name !== '' && { name }), ...(outcome && { outcome }) }
  const query = useRuns(filter)
  const items = query.data?.pages.flatMap(({ runs }) => runs)
  const names = new Set([...(query.data?.pages[0]?.names ?? []), ...(name === '' ? [] : [name])])
  const columns = useColumns()
  return (
    <Panel title={t('runsTitle')} busy={!items}>
      <Controls>
        <SelectField
          label={t('runsJob')}
          value={name}
          choices={[
            { value: '', label: t('runsLast') },
            ...[...names].map((value) => ({ value, label: value })),
          ]}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <SelectField
          label={t('runsOutcome')}
          value={outcome ?? ''}
          choices={[
            { value: '', label: t('runsAnyOutcome') },
            { value: 'failed', label: t('runsFailed') },
          ]}
          onChange={({ currentTarget: { value } }) => setOutcome(value)}
        />
      </Controls>
      <List
        label={t('runsTitle')}
        className={styles.runs}
        columns={columns}
        query={query}
        items={items}
        keyOf={({ id }) => id}
        none={
          <EmptyState icon={IconClockPlay} title={t('runsNone')}>
            {t('runsNoneText')}
          </EmptyState>
        }
      />
      {items && items.length > 0 && (
        <Foot>
          <More {...query} />
          <ExportButton
            file="job-runs"
            columns={file}
            readPage={(cursor: string | null) => runsPage(filter, cursor)}
          />
        </Foot>
      )}
    </Panel>
  )
}

const file: CsvColumns<JobRun> = [
  ['Job', ({ name }) => name],
  ['Started', ({ startedAt }) => startedAt],
  ['Milliseconds', ({ tookMs }) => String(tookMs)],
  ['Outcome', ({ error }) => (error === null ? 'done' : 'failed')],
  ['Error', ({ error }) => error ?? ''],
]

const SECOND_MS = 1000

const tookText = (ms: number, t: ConsoleText): string =>
  ms < SECOND_MS
    ? t('runsMilliseconds', { count: ms })
    : t('runsSeconds', { count: (ms / SECOND_MS).toFixed(1) })

function useColumns(): readonly Column<JobRun>[] {
  const t = useConsoleText()
  const dates = useConsoleDates()
  return [
    {
      title: t('runsJob'),
      area: 'job',
      className: font('semibold', 'anywhere'),
      cell: ({ name }) => name,
    },
    {
      title: t('runsOutcome'),
      area: 'outcome',
      align: 'endInCard',
      placeholder: 'badge',
      cell: ({ error }) =>
        error === null ? (
          <StatusBadge tone="green">{t('runsDone')}</StatusBadge>
        ) : (
          <StatusBadge tone="red">{t('runsFailed')}</StatusBadge>
        ),
    },
    {
      title: t('jobsError'),
      area: 'error',
      isQuiet: true,
      className: font('anywhere'),
      cell: ({ error }) => error,
    },
    figure(t('runsTook'), 'took', ({ tookMs }) => tookText(tookMs, t)),
    {
      title: t('runsStarted'),
      area: 'started',
      align: 'end',
      isQuiet: true,
      className: font('numbers'),
      cell: ({ startedAt }) => <time dateTime={startedAt}>{dates.exactly(startedAt)}</time>,
    },
  ]
}
