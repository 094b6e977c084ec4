import type { ConsoleAuditEntry } from '@muripo/contract/console'
import type { z } from 'zod'
import { font, grid } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { PageHeader, RefreshButton } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { useConsoleDates } from '../dates.ts'
import { IconListDetails } from '../icons.ts'
import { Controls, Finder, List, More, useAddressFilter } from '../list-parts.tsx'
import { useAudit } from '../queries.ts'
import { useConsoleText } from '../text.ts'
import styles from './audit.module.css'

type Entry = z.infer<typeof ConsoleAuditEntry>

/** The audit log, the newest entry first, of everything or of one object. */
export default function Audit() {
  const t = useConsoleText()
  const [about, setAbout] = useAddressFilter('about')
  const audit = useAudit(about)
  const items = audit.data?.pages.flatMap(({ entries }) => entries)
  const columns = useColumns()
  return (
    <>
      <PageHeader title={t('consoleAuditPage')}>
        <RefreshButton loading={audit.isFetching} onClick={() => void audit.refetch()} />
      </PageHeader>
      <Panel title={t('auditTitle')} busy={!items}>
        <Controls>
          <Finder label={t('auditAbout')} help={t('auditAboutHelp')} value={about} onFind={setAbout} />
        </Controls>
        <List
          label={t('consoleAuditPage')}
          className={styles.list}
          columns={columns}
          query={audit}
          items={items}
          keyOf={({ id }) => id}
          none={
            <EmptyState icon={IconListDetails} title={t('auditNone')}>
              {t('auditNoneText')}
            </EmptyState>
          }
        />
        <More {...audit} />
      </Panel>
    </>
  )
}

function useColumns(): readonly Column<Entry>[] {
  const t = useConsoleText()
  const dates = useConsoleDates()
  return [
    {
      title: t('auditWhen'),
      area: 'when',
      isQuiet: true,
      cell: ({ at }) => <time dateTime={at}>{dates.exactly(at)}</time>,
    },
    {
      title: t('auditWhat'),
      area: 'what',
      className: font('anywhere', 'medium'),
      cell: ({ action }) => action,
    },
    {
      title: t('auditWho'),
      area: 'who',
      className: font('anywhere'),
      cell: ({ actor, address }) => (
        <span className={grid()}>
          <span>{actor}</span>
          {address !== null && <span className={font('quiet')}>{t('auditFrom', { address })}</span>}
        </span>
      ),
    },
    {
      title: t('auditSubject'),
      area: 'subject',
      isQuiet: true,
      className: font('anywhere', 'mono', 'xs'),
      cell: ({ subject }) => subject,
    },
    {
      title: t('auditDetails'),
      area: 'details',
      isQuiet: true,
      className: font('anywhere'),
      cell: ({ details }) =>
        Object.entries(details)
          .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(', '),
    },
  ]
}
