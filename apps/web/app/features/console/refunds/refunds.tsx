import { type ManualRefundState, manualRefundStates } from '@muripo/contract/manual-refunds'
import { useState } from 'react'
import { font, textLinkClass } from '../../../components/ui/classes.ts'
import { EmptyState, QueryError } from '../../../components/ui/empty-state.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Tabs } from '../../../components/ui/tabs.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { useConsoleMay } from '../api.ts'
import { IconDownload, IconReceiptRefund } from '../icons.ts'
import { Controls, Finder, More, useAddressFilter } from '../list-parts.tsx'
import { OpenProposals } from '../open-proposals.tsx'
import { useManualRefunds } from '../operation-queries.ts'
import { type ConsoleKey, useConsoleText } from '../text.ts'
import { Batch } from './batch.tsx'
import { RefundList } from './refund-list.tsx'
import styles from './refunds.module.css'

interface Texts {
  readonly tab: ConsoleKey
  readonly none: ConsoleKey
  readonly noneText: ConsoleKey
}

const waiting = { none: 'manualNone', noneText: 'manualNoneText' } as const
const texts: Readonly<Record<ManualRefundState, Texts>> = {
  to_send: { tab: 'manualToSend', ...waiting },
  to_clarify: { tab: 'manualToClarify', ...waiting },
  proposed: { tab: 'manualProposed', ...waiting },
  sent: { tab: 'refundSent', none: 'manualSentNone', noneText: 'manualOverText' },
  came_back: { tab: 'refundCameBack', none: 'manualCameBackNone', noneText: 'manualOverText' },
}

/** Refunds that a person sends in the portal of a provider, from their request until they were sent or came back. */
export default function Refunds() {
  const t = useConsoleText()
  const { methodLabel } = useFormats()
  const [typedState, setState] = useAddressFilter('state')
  const [provider, setProvider] = useAddressFilter('provider')
  const [search, setSearch] = useAddressFilter('search')
  const [numbers, setNumbers] = useState<Readonly<Record<string, string>>>({})
  const mayTake = useConsoleMay('console.refunds.take')
  const state = manualRefundStates.find((each) => each === typedState) ?? 'to_send'
  const filter = { state, ...(provider !== '' && { provider }), ...(search !== '' && { search }) }
  const query = useManualRefunds(filter)
  // While another list is loading, the counts beside the tabs stay.
  const first = query.data?.pages[0]
  const items = query.isPlaceholderData ? undefined : query.data?.pages.flatMap(({ refunds }) => refunds)
  const counts: Partial<Readonly<Record<ManualRefundState, number>>> = first?.counts ?? {}
  const providers = new Set([...(first?.providers ?? []), ...(provider === '' ? [] : [provider])])
  return (
    <>
      <PageHeader title={t('consoleRefundsPage')} subtitle={t('manualText')} />
      <OpenProposals kinds={['refund.batch']} />
      <Tabs
        label={t('manualWay')}
        current={state}
        tabs={manualRefundStates.map((name) => ({
          name,
          label: (
            <>
              {t(texts[name].tab)} {counts[name] ? <small>{counts[name]}</small> : null}
            </>
          ),
        }))}
        onOpen={(name) => setState(name === 'to_send' ? '' : name)}
      >
        <Controls>
          <Finder label={t('manualSearch')} help={t('manualSearchHelp')} value={search} onFind={setSearch} />
          <SelectField
            label={t('manualProvider')}
            value={provider}
            choices={[
              { value: '', label: t('manualAllProviders') },
              ...[...providers].map((value) => ({ value, label: methodLabel(value) })),
            ]}
            onChange={({ currentTarget: { value } }) => setProvider(value)}
          />
          <a
            className={`${styles.file} ${textLinkClass} ${font('md', 'medium')}`}
            href={`/console/api/refunds/list?${new URLSearchParams(filter)}`}
            download
          >
            <IconDownload size={18} stroke={1.75} aria-hidden />
            {t('manualExport')}
          </a>
        </Controls>
        {query.error && !items ? (
          <QueryError query={query} />
        ) : items?.length === 0 ? (
          <EmptyState icon={IconReceiptRefund} title={t(texts[state].none)}>
            {t(texts[state].noneText)}
          </EmptyState>
        ) : state === 'to_send' && mayTake && items ? (
          <Batch refunds={items} numbers={numbers} onNumbers={setNumbers} />
        ) : (
          <RefundList refunds={items} state={state} />
        )}
        {items && <More {...query} />}
      </Tabs>
    </>
  )
}
