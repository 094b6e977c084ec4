import type { ConsoleJobs } from '@muripo/contract/console-operation'
import { toast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid, notice } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import type { CsvColumns } from '../../../lib/csv-text.ts'
import { useConsoleMay } from '../api.ts'
import { Refused } from '../decisions/reason-dialog.tsx'
import { asPage, ExportButton } from '../export-button.tsx'
import { IconClockPlay } from '../icons.ts'
import { Controls, Foot, figure, List, useAddressFilter, When } from '../list-parts.tsx'
import { retryJobs, useJobs } from '../operation-queries.ts'
import { NoneYet } from '../panel-parts.tsx'
import { useChange } from '../queries.ts'
import { useConsoleText } from '../text.ts'
import styles from './jobs.module.css'
import { Runs } from './runs.tsx'

type Kind = ConsoleJobs['kinds'][number]
type Failure = ConsoleJobs['failures'][number]

/** The queue of jobs by kind, and the jobs whose last attempt failed. */
export default function Jobs() {
  const t = useConsoleText()
  const query = useJobs()
  const { data } = query
  const retrying = useChange(
    (kind: string) => retryJobs(kind),
    (count) => toast.success(t('jobsRetried', { count })),
  )
  const failed = new Set(data?.failures.map(({ kind }) => kind))
  const columns = useKindColumns(failed, (kind) => retrying.isPending || retrying.mutate(kind))
  return (
    <>
      <PageHeader title={t('consoleJobsPage')} />
      {data?.isRunning === false && <p className={notice('below24')}>{t('jobsNotRunning')}</p>}
      <Refused error={retrying.error} />
      <div className={grid('gap24')}>
        <Panel title={t('jobsQueue')} busy={!data}>
          <List
            label={t('jobsQueue')}
            className={styles.kinds}
            columns={columns}
            query={query}
            items={data?.kinds}
            keyOf={({ kind }) => kind}
            none={<EmptyState icon={IconClockPlay} title={t('jobsNone')} />}
          />
          {data && data.kinds.length > 0 && (
            <Foot>
              <ExportButton file="jobs" columns={queueFile} readPage={asPage(data.kinds)} />
            </Foot>
          )}
        </Panel>
        {data && <Failures failures={data.failures} />}
        <Runs />
      </div>
    </>
  )
}

function useKindColumns(
  failed: ReadonlySet<string>,
  onRetry: (kind: string) => void,
): readonly Column<Kind>[] {
  const t = useConsoleText()
  const mayRetry = useConsoleMay('console.jobs.retry')
  return [
    {
      title: t('jobsKind'),
      area: 'kind',
      className: font('semibold', 'anywhere'),
      cell: ({ kind }) => kind,
    },
    figure(t('jobsDue'), 'due', ({ due }) => due),
    figure(t('jobsLater'), 'later', ({ later }) => later),
    figure(t('jobsGivenUp'), 'givenUp', ({ givenUp }) => givenUp),
    {
      title: t('jobsRetry'),
      isTitleHidden: true,
      area: 'act',
      align: 'end',
      placeholder: 'button',
      cell: ({ kind }) =>
        mayRetry &&
        failed.has(kind) && (
          <Button kind="default" aria-label={t('jobsRetryOf', { kind })} onClick={() => onRetry(kind)}>
            {t('jobsRetry')}
          </Button>
        ),
    },
  ]
}

const queueFile: CsvColumns<Kind> = [
  ['Kind', ({ kind }) => kind],
  ['Due', ({ due }) => String(due)],
  ['Later', ({ later }) => String(later)],
  ['Given up', ({ givenUp }) => String(givenUp)],
  ['Oldest due', ({ oldestDueAt }) => oldestDueAt ?? ''],
]

const failuresFile: CsvColumns<Failure> = [
  ['ID', ({ id }) => id],
  ['Kind', ({ kind }) => kind],
  ['Error', ({ error }) => error],
  ['Attempts', ({ attempts }) => String(attempts)],
  ['Attempts at most', ({ maxAttempts }) => String(maxAttempts)],
  ['Since', ({ createdAt }) => createdAt],
  ['Next attempt', ({ dueAt }) => dueAt ?? ''],
]

/** The filter by a kind is in the address. */
function Failures({ failures: all }: { readonly failures: readonly Failure[] }) {
  const t = useConsoleText()
  const [kind, setKind] = useAddressFilter('kind')
  const failures = all.filter((each) => kind === '' || each.kind === kind)
  const kinds = new Set([...all.map((each) => each.kind), ...(kind === '' ? [] : [kind])])
  const columns: readonly Column<Failure>[] = [
    {
      title: t('jobsKind'),
      area: 'kind',
      className: font('semibold', 'anywhere'),
      cell: (job) => job.kind,
    },
    {
      title: t('jobsError'),
      area: 'error',
      className: font('anywhere'),
      cell: ({ error }) => error,
    },
    figure(t('webhooksAttempts'), 'attempts', ({ attempts, maxAttempts }) => `${attempts}/${maxAttempts}`),
    {
      title: t('jobsNext'),
      area: 'next',
      align: 'end',
      isQuiet: true,
      cell: ({ dueAt }) => (dueAt === null ? t('jobsGivenUp') : <When at={dueAt} />),
    },
  ]
  return (
    <Panel title={t('jobsFailures')} busy={false}>
      {kinds.size > 0 && (
        <Controls>
          <SelectField
            label={t('jobsKind')}
            value={kind}
            choices={[
              { value: '', label: t('reviewsAll') },
              ...[...kinds].map((value) => ({ value, label: value })),
            ]}
            onChange={({ currentTarget: { value } }) => setKind(value)}
          />
        </Controls>
      )}
      <List
        label={t('jobsFailures')}
        className={styles.failures}
        columns={columns}
        items={failures}
        keyOf={({ id }) => id}
        none={<NoneYet>{t('jobsNoFailures')}</NoneYet>}
      />
      {failures.length > 0 && (
        <Foot>
          <ExportButton file="failed-jobs" columns={failuresFile} readPage={asPage(failures)} />
        </Foot>
      )}
    </Panel>
  )
}
