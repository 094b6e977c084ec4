import { type AuditGroup, auditGroups } from '@muripo/contract/audit-groups'
import type { ConsoleAuditEntry } from '@muripo/contract/console-records'
import { ButtonLink } from '../../../components/ui/button.tsx'
import { font, grid } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import { PageHeader, RefreshButton } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { useConsoleDates } from '../dates.ts'
import { IconDownload, IconListDetails } from '../icons.ts'
import { Controls, DayFilter, Finder, Foot, List, More, useAddressFilter } from '../list-parts.tsx'
import { auditFile, useAudit } from '../record-queries.ts'
import { textsOf, useConsoleText } from '../text.ts'
import styles from './audit.module.css'

const groupText = textsOf<AuditGroup>({
  team: 'auditOfTeam',
  account: 'auditOfAccount',
  session: 'auditOfSession',
  document: 'auditOfDocument',
  application: 'auditOfApplication',
  webhook: 'auditOfWebhook',
  payment: 'auditOfPayment',
  refund: 'auditOfRefund',
  customer: 'auditOfCustomer',
  ledger: 'auditOfLedger',
  merchant: 'auditOfMerchant',
  operator: 'auditOfOperator',
  proposal: 'auditOfProposal',
  provider: 'auditOfProvider',
  jobs: 'auditOfJobs',
  incident: 'auditOfIncident',
  statement: 'auditOfStatement',
  master_key: 'auditOfMasterKey',
})

/** The beginning of a day in this browser's time zone, some days later. Undefined for a text that is no day. */
function startOf(day: string, later = 0): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  const start = new Date(year ?? Number.NaN, (month ?? 0) - 1, (date ?? 0) + later)
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(start.getTime()) ? start.toISOString() : undefined
}

/** The audit log, the newest entry first, of everything or as the filter leaves it. */
export default function Audit() {
  const t = useConsoleText()
  const [about, setAbout] = useAddressFilter('about')
  const [typed, setGroup] = useAddressFilter('group')
  const [from, setFrom] = useAddressFilter('from')
  const [to, setTo] = useAddressFilter('to')
  const group = auditGroups.find((each) => each === typed)
  const [first, end] = [startOf(from), startOf(to, 1)]
  const filter = {
    ...(about !== '' && { about }),
    ...(group && { group }),
    ...(first !== undefined && { from: first }),
    ...(end !== undefined && { before: end }),
  }
  const audit = useAudit(filter)
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
          <SelectField
            label={t('auditAction')}
            value={group ?? ''}
            choices={[
              { value: '', label: t('auditAll') },
              ...auditGroups.map((value) => ({ value, label: groupText(value, t) })),
            ]}
            onChange={({ currentTarget: { value } }) => setGroup(value)}
          />
          <DayFilter label={t('auditFromDay')} value={from} onChange={setFrom} />
          <DayFilter label={t('auditToDay')} value={to} onChange={setTo} />
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
        {items && items.length > 0 && (
          <Foot>
            <More {...audit} />
            <ButtonLink kind="default" icon={IconDownload} to={auditFile(filter)} reloadDocument download>
              {t('exportCsv')}
            </ButtonLink>
          </Foot>
        )}
      </Panel>
    </>
  )
}

function useColumns(): readonly Column<ConsoleAuditEntry>[] {
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
