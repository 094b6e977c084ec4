import type { ConsoleEndpoint } from '@muripo/contract/console-operation'
import { webhookStatuses } from '@muripo/contract/webhook-enums'
import { Link } from 'react-router'
import { coverClass, font, grid, row } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import type { CsvColumns } from '../../../lib/csv-text.ts'
import { webhookAddress } from '../entries.ts'
import { asPage, ExportButton } from '../export-button.tsx'
import { IconWebhook } from '../icons.ts'
import { Age, Controls, Finder, Foot, figure, List, useAddressFilter } from '../list-parts.tsx'
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
  const isFiltered = merchant !== '' || status !== undefined
  const columns = useColumns()
  return (
    <>
      <PageHeader title={t('consoleWebhooksPage')} />
      <Panel title={t('webhooksShown')} busy={!query.data}>
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
        <List
          label={t('consoleWebhooksPage')}
          className={styles.list}
          columns={columns}
          query={query}
          items={query.data}
          keyOf={({ id }) => id}
          none={
            <EmptyState icon={IconWebhook} title={t(isFiltered ? 'webhooksNoneFound' : 'webhooksNone')}>
              {t(isFiltered ? 'webhooksNoneFoundText' : 'webhooksNoneText')}
            </EmptyState>
          }
        />
        {query.data && query.data.length > 0 && (
          <Foot>
            <ExportButton file="webhooks" columns={file} readPage={asPage(query.data)} />
          </Foot>
        )}
      </Panel>
    </>
  )
}

const file: CsvColumns<ConsoleEndpoint> = [
  ['ID', ({ id }) => id],
  ['Address', ({ url }) => url],
  ['Merchant', ({ merchantId }) => merchantId],
  ['Name of the merchant', ({ merchantName }) => merchantName],
  ['Application', ({ applicationName }) => applicationName],
  ['Status', ({ status }) => status],
  ['Waiting', ({ pending }) => String(pending)],
  ['Since', ({ changedAt }) => changedAt],
]

function useColumns(): readonly Column<ConsoleEndpoint>[] {
  const t = useConsoleText()
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
    figure(t('webhooksPending'), 'pending', ({ pending }) => pending),
    {
      title: t('consoleSince'),
      area: 'since',
      align: 'end',
      isQuiet: true,
      cell: ({ changedAt }) => <Age of={changedAt} />,
    },
  ]
}
