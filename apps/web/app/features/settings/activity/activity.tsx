import { useSearchParams } from 'react-router'
import { type Activity, useActivity } from '../../../api/activity.ts'
import { IconFilterOff, IconReceipt } from '../../../components/icons.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, panelClass, textLinkClass } from '../../../components/ui/classes.ts'
import { type Column, DataList } from '../../../components/ui/data-list.tsx'
import { EmptyState, QueryError } from '../../../components/ui/empty-state.tsx'
import panel from '../../../components/ui/panel.module.css'
import {
  type ActivityFilterName,
  activityFilterNames,
  readActivityFilters,
} from '../../../lib/activity-filters.ts'
import { type DashboardHandle, useDashboardText } from '../../../lib/dashboard-text.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import styles from './activity.module.css'
import { ExportButton } from './export-button.tsx'
import { Filters } from './filters.tsx'
import { type ActivityText, actionText, useActivityText } from './text.ts'

export const handle: DashboardHandle = { title: 'activityPage', needs: 'audit.read' }

/** The actions in the account. The filters are in the address. */
export default function ActivityPage() {
  const t = useActivityText()
  const dashboard = useDashboardText()
  const [search, setSearch] = useSearchParams()
  const filters = readActivityFilters(search)
  const isFiltered = activityFilterNames.some((name) => filters[name] !== undefined)
  const query = useActivity(filters)
  const entries = query.data?.pages.flatMap(({ activity }) => activity)
  const change = (values: Partial<Record<ActivityFilterName, string>>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(values)) {
          if (value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  const clear = () => change(Object.fromEntries(activityFilterNames.map((name) => [name, ''])))
  if (query.error && !entries) return <QueryError query={query} />
  return (
    <section className={panelClass} aria-label={dashboard('activityPage')} aria-busy={!entries}>
      <Filters filters={filters} onChange={(name, value) => change({ [name]: value })} />
      <div className={panel.count}>
        <p role="status">
          {entries
            ? t('actionsShown', { count: entries.length, more: query.hasNextPage ? 'yes' : 'no' })
            : t('loadingActivity')}
        </p>
        {isFiltered && (
          <button type="button" className={`${textLinkClass} ${panel.clear}`} onClick={clear}>
            {dashboard('clearFilters')}
          </button>
        )}
        <ExportButton key={JSON.stringify(filters)} filters={filters} />
      </div>
      {entries?.length === 0 ? (
        <EmptyState
          icon={isFiltered ? IconFilterOff : IconReceipt}
          title={t(isFiltered ? 'activityNoMatch' : 'activityNone')}
        />
      ) : (
        <Entries entries={entries} />
      )}
      {query.hasNextPage && (
        <div className={styles.more}>
          <Button
            kind="default"
            running={query.isFetchingNextPage}
            runningLabel={t('loadingMoreActions')}
            onClick={() => void query.fetchNextPage()}
          >
            {t('showMoreActions')}
          </Button>
        </div>
      )}
    </section>
  )
}

function Entries({ entries }: { readonly entries: readonly Activity[] | undefined }) {
  const t = useActivityText()
  const dashboard = useDashboardText()
  const { whenText, exactText } = useFormats()
  const columns: readonly Column<Activity>[] = [
    {
      title: t('time'),
      area: 'time',
      isQuiet: true,
      cell: ({ at }) => (
        <time dateTime={at} title={exactText(at)}>
          {whenText(at)}
        </time>
      ),
    },
    { title: t('by'), area: 'by', className: font('anywhere'), cell: ({ by }) => byText(by, t) },
    {
      title: t('action'),
      area: 'action',
      className: font('anywhere'),
      cell: (entry) => (
        <>
          <span className={font('medium')}>{actionText(entry.action, t)}</span>
          <span className={`${styles.about} ${font('sm', 'quiet')}`}>{aboutOf(entry)}</span>
        </>
      ),
    },
    {
      title: t('network'),
      area: 'network',
      isQuiet: true,
      className: font('anywhere'),
      cell: ({ address }) => address,
    },
  ]
  return (
    <DataList
      label={dashboard('activityPage')}
      className={styles.list}
      columns={columns}
      items={entries}
      keyOf={({ id }) => id}
    />
  )
}

const others = { key: 'byKey', operator: 'byOperator', visitor: 'byVisitor', system: 'bySystem' } as const

const byText = ({ kind, name }: Activity['by'], t: ActivityText): string =>
  kind === 'person' ? (name ?? t('byFormer')) : t(others[kind])

/** The name of what it was done to, where the entry has one, or its id. */
function aboutOf({ subject, details: { name, email, url } }: Activity): string {
  const named = [name, email, url].find((each) => typeof each === 'string')
  return typeof named === 'string' ? named : subject
}
