import { type ManualRefundState, manualRefundStates } from '@muripo/contract/console-permissions'
import { EmptyState, QueryError } from '../../../components/ui/empty-state.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { useConsoleMay } from '../api.ts'
import { IconReceiptRefund } from '../icons.ts'
import { Controls, Finder, useAddressFilter } from '../list-parts.tsx'
import { OpenProposals } from '../open-proposals.tsx'
import { useManualRefunds } from '../operation-queries.ts'
import { type ConsoleKey, useConsoleText } from '../text.ts'
import { Batch } from './batch.tsx'
import { RefundList } from './refund-list.tsx'

const texts = {
  to_send: 'manualToSend',
  to_clarify: 'manualToClarify',
  proposed: 'manualProposed',
} as const satisfies Readonly<Record<ManualRefundState, ConsoleKey>>

/** Refunds that a person sends in the portal of a provider. */
export default function Refunds() {
  const t = useConsoleText()
  const { methodLabel } = useFormats()
  const [typedState, setState] = useAddressFilter('state')
  const [provider, setProvider] = useAddressFilter('provider')
  const [search, setSearch] = useAddressFilter('search')
  const mayTake = useConsoleMay('console.refunds.take')
  const state = manualRefundStates.find((each) => each === typedState) ?? 'to_send'
  const query = useManualRefunds({
    state,
    ...(provider !== '' && { provider }),
    ...(search !== '' && { search }),
  })
  const items = query.data?.refunds
  const count = (of: ManualRefundState) => {
    const counted = query.data?.counts[of]
    return counted ? `${t(texts[of])} (${counted})` : t(texts[of])
  }
  return (
    <>
      <PageHeader title={t('consoleRefundsPage')} subtitle={t('manualText')} />
      <OpenProposals kinds={['refund.batch']} />
      <Panel title={t(texts[state])} busy={!items}>
        <Controls>
          <Finder label={t('manualSearch')} help={t('manualSearchHelp')} value={search} onFind={setSearch} />
          <SelectField
            label={t('consoleShow')}
            value={state}
            choices={manualRefundStates.map((value) => ({ value, label: count(value) }))}
            onChange={({ currentTarget: { value } }) => setState(value === 'to_send' ? '' : value)}
          />
          <SelectField
            label={t('manualProvider')}
            value={provider}
            choices={[
              { value: '', label: t('manualAllProviders') },
              ...(query.data?.providers ?? []).map((value) => ({ value, label: methodLabel(value) })),
            ]}
            onChange={({ currentTarget: { value } }) => setProvider(value)}
          />
        </Controls>
        {query.error && !items ? (
          <QueryError query={query} />
        ) : items?.length === 0 ? (
          <EmptyState icon={IconReceiptRefund} title={t('manualNone')}>
            {t('manualNoneText')}
          </EmptyState>
        ) : state === 'to_send' && mayTake && items ? (
          <Batch refunds={items} />
        ) : (
          <RefundList refunds={items} />
        )}
      </Panel>
    </>
  )
}
