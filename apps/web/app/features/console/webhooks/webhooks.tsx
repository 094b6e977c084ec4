import type { ConsoleEndpoint } from '@muripo/contract/console-operation'
import { webhookStatuses } from '@muripo/contract/enums'
import { Link } from 'react-router'
import { coverClass, font, grid, row } from '../../../components/ui/classes.ts'
import { type Column, DataList } from '../../../components/ui/data-list.tsx'
import { EmptyState, QueryError } from '../../../components/ui/empty-state.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { useConsoleDates } from '../dates.ts'
import { webhookAddress } from '../entries.ts'
import { IconWebhook } from '../icons.ts'
import { Controls, Finder, useAddressFilter } from '../list-parts.tsx'
import { useEndpoints } from '../operation-queries.ts'
import { useConsoleText } from '../text.ts'
import { EndpointBadge, endpointStateText } from './endpoint-badge.tsx'
import styles from './webhooks.module.css'

/** The endpoints that do not answer, or all endpoints of one merchant. */
export default function Webhooks() {
  const t = useConsoleText()
  const [typed, setStatus] = useAddressFilter('status')
  const [merchant, setMerchant] = useAddressFilter('merchant')
  const status = webhookStatuses.find((each) => each === typed)
  const query = useEndpoints({ ...(status && { status }), ...(merchant !== '' && { merchant }) })
  const columns = useColumns()
  const items = query.data
  return (
    <>
      <PageHeader title={t('consoleWebhooksPage')} />
      <Panel title={t('webhooksShown')} busy={!items}>
        <Controls>
          <Finder
            label={t('webhooksMerchant')}
            help={t('webhooksMerchantHelp')}
            value={merchant}
            onFind={setMerchant}
          />
          <SelectField
            label={t('consoleShow')}
            value={status ?? ''}
            choices={[
              { value: '', label: t(merchant === '' ? 'webhooksProblems' : 'webhooksShown') },
              ...webhookStatuses.map((value) => ({ value, label: endpointStateText(value, t) })),
            ]}
            onChange={({ currentTarget: { value } }) => setStatus(value)}
          />
        </Controls>
        {query.error && !items ? (
          <QueryError query={query} />
        ) : items?.length === 0 ? (
          <EmptyState icon={IconWebhook} title={t('webhooksNone')}>
            {t('webhooksNoneText')}
          </EmptyState>
        ) : (
          <DataList
            label={t('consoleWebhooksPage')}
            className={styles.list}
            columns={columns}
            items={items}
            keyOf={({ id }) => id}
            loading={t('consoleLoadingList')}
          />
        )}
      </Panel>
    </>
  )
}

function useColumns(): readonly Column<ConsoleEndpoint>[] {
  const t = useConsoleText()
  const dates = useConsoleDates()
  return [
    {
      title: t('webhooksShown'),
      area: 'name',
      cell: ({ merchantId, id, url, merchantName, applicationName, isTest }) => (
        <span className={grid()}>
          <Link
            to={webhookAddress(merchantId, id)}
            className={`${coverClass} ${font('md', 'semibold', 'anywhere')}`}
          >
            {url}
          </Link>
          <span className={`${row('wrap', 'centre', 'gap8', 'rows4')} ${font('sm', 'quiet', 'anywhere')}`}>
            {`${merchantName}, ${applicationName}`}
            {isTest && <StatusBadge tone="grey">{t('consoleTest')}</StatusBadge>}
          </span>
        </span>
      ),
    },
    {
      title: t('consoleStatus'),
      area: 'status',
      placeholder: 'badge',
      cell: ({ status }) => <EndpointBadge status={status} />,
    },
    {
      title: t('webhooksPending'),
      area: 'pending',
      align: 'end',
      cardTitle: t('webhooksPending'),
      className: font('numbers'),
      cell: ({ pending }) => pending,
    },
    {
      title: t('consoleSince'),
      area: 'since',
      align: 'end',
      isQuiet: true,
      cell: ({ changedAt }) => (
        <time dateTime={changedAt} title={dates.when(changedAt)}>
          {dates.age(changedAt)}
        </time>
      ),
    },
  ]
}
