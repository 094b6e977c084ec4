import type { ConsoleMerchant } from '@muripo/contract/console'
import { emailField } from '@muripo/contract/fields'
import type { MerchantId } from '@muripo/contract/ids'
import { merchantStatuses } from '@muripo/contract/merchant-statuses'
import { Link } from 'react-router'
import { coverClass, font, row } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import { PageHeader, RefreshButton } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import type { CsvColumns } from '../../../lib/csv-text.ts'
import { DecisionButton } from '../decisions/decision-button.tsx'
import { merchantAddress } from '../entries.ts'
import { ExportButton } from '../export-button.tsx'
import { IconBuildingStore } from '../icons.ts'
import { Age, Controls, Finder, Foot, List, More, useAddressFilter } from '../list-parts.tsx'
import { OpenProposals } from '../open-proposals.tsx'
import { merchantsPage, useMerchants } from '../queries.ts'
import { type ConsoleText, merchantStateText, useConsoleText } from '../text.ts'
import { MerchantBadge } from './merchant-badge.tsx'
import styles from './merchants.module.css'

const shownStatuses = ['waiting', 'all', ...merchantStatuses] as const
type Shown = (typeof shownStatuses)[number]

/** The queue is shown first: an address without a filter has those that wait. */
const shownIn = (value: string): Shown => shownStatuses.find((each) => each === value) ?? 'waiting'

function shownText(shown: Shown, t: ConsoleText): string {
  if (shown === 'waiting') return t('merchantsWaiting')
  return shown === 'all' ? t('merchantsAll') : merchantStateText(shown, t)
}

/** The merchants that wait for a decision, those of a status, or the one that was searched for. */
export default function Merchants() {
  const t = useConsoleText()
  const [typed, setStatus] = useAddressFilter('status')
  const [search, setSearch] = useAddressFilter('search')
  const shown = shownIn(typed)
  const filter = search === '' ? { ...(shown !== 'all' && { status: shown }) } : { search }
  const merchants = useMerchants(filter)
  const items = merchants.data?.pages.flatMap((page) => page.merchants)
  const columns = useColumns()
  return (
    <>
      <PageHeader title={t('consoleMerchantsPage')}>
        <DecisionButton
          kind="person.remove_authenticator"
          body={{ subject: null }}
          text={t('authenticatorText')}
          fields={[
            {
              name: 'subject',
              label: t('settingsEmail'),
              check: (value) =>
                emailField.error(emailField.clean(value)) === null ? null : t('settingsEmailWrong'),
            },
          ]}
        />
        <RefreshButton loading={merchants.isFetching} onClick={() => void merchants.refetch()} />
      </PageHeader>
      <OpenProposals kinds={['person.']} />
      <Panel title={search === '' ? shownText(shown, t) : t('consoleMerchantsPage')} busy={!items}>
        <Controls>
          <Finder
            label={t('merchantSearch')}
            help={t('merchantSearchHelp')}
            value={search}
            onFind={setSearch}
          />
          <SelectField
            label={t('consoleShow')}
            value={shown}
            disabled={search !== ''}
            choices={shownStatuses.map((value) => ({ value, label: shownText(value, t) }))}
            onChange={(event) =>
              setStatus(event.currentTarget.value === 'waiting' ? '' : event.currentTarget.value)
            }
          />
        </Controls>
        <List
          label={t('consoleMerchantsPage')}
          className={styles.list}
          columns={columns}
          query={merchants}
          items={items}
          keyOf={({ id }) => id}
          none={<None isSearch={search !== ''} isQueue={shown === 'waiting'} />}
        />
        {items && items.length > 0 && (
          <Foot>
            <More {...merchants} />
            <ExportButton
              file="merchants"
              columns={file}
              readPage={(cursor: MerchantId | null) => merchantsPage(filter, cursor)}
            />
          </Foot>
        )}
      </Panel>
    </>
  )
}

const file: CsvColumns<ConsoleMerchant> = [
  ['ID', ({ id }) => id],
  ['Name', ({ name }) => name],
  ['Email', ({ email }) => email],
  ['Phone', ({ phone }) => phone],
  ['Status', ({ status }) => status],
  ['Waits for', ({ waitsFor }) => waitsFor ?? ''],
  ['Signed up', ({ createdAt }) => createdAt],
]

function None({ isSearch, isQueue }: { readonly isSearch: boolean; readonly isQueue: boolean }) {
  const t = useConsoleText()
  if (isSearch)
    return (
      <EmptyState icon={IconBuildingStore} title={t('merchantsNone')}>
        {t('merchantsNoneFound')}
      </EmptyState>
    )
  return isQueue ? (
    <EmptyState icon={IconBuildingStore} title={t('merchantsNoneWaiting')}>
      {t('merchantsNoneWaitingText')}
    </EmptyState>
  ) : (
    <EmptyState icon={IconBuildingStore} title={t('merchantsNone')} />
  )
}

function useColumns(): readonly Column<ConsoleMerchant>[] {
  const t = useConsoleText()
  return [
    {
      title: t('merchantName'),
      area: 'name',
      cell: ({ id, name }) => (
        <Link to={merchantAddress(id)} className={`${coverClass} ${font('md', 'semibold', 'anywhere')}`}>
          {name}
        </Link>
      ),
    },
    {
      title: t('consoleEmail'),
      area: 'contact',
      isQuiet: true,
      className: font('anywhere'),
      cell: ({ email, phone }) => `${email}, ${phone}`,
    },
    {
      title: t('consoleStatus'),
      area: 'status',
      placeholder: 'badge',
      cell: (merchant) => (
        <span className={row('wrap', 'gap4')}>
          <MerchantBadge merchant={merchant} />
        </span>
      ),
    },
    {
      title: t('consoleSince'),
      area: 'since',
      align: 'end',
      isQuiet: true,
      cell: ({ createdAt }) => <Age of={createdAt} />,
    },
  ]
}
