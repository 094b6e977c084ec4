import type { ConsoleProvider } from '@muripo/contract/console-operation'
import { Link, useParams } from 'react-router'
import { font, grid, place } from '../../../components/ui/classes.ts'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { Fact, Facts } from '../../../components/ui/facts.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { useConsoleDates } from '../dates.ts'
import { ProposalPanel } from '../decisions/proposal-panel.tsx'
import { providerAddress } from '../entries.ts'
import { IconPlug } from '../icons.ts'
import { BackTo } from '../list-parts.tsx'
import { useOpenProposals, useProviders } from '../operation-queries.ts'
import { bodyClass, NoneYet, Subject } from '../panel-parts.tsx'
import { useConsoleText } from '../text.ts'
import { answered, seconds, shareOf, stateOf } from './figures.ts'
import { Pause } from './pause.tsx'
import styles from './providers.module.css'
import { Routes } from './routes.tsx'

type Data = NonNullable<ReturnType<typeof useProviders>['data']>

/** One account at a provider: how it is, what its budget leaves, and who is routed to it. */
export default function Provider() {
  const t = useConsoleText()
  const { account = '' } = useParams()
  const query = useProviders()
  return (
    <>
      <BackTo to="/console/providers">{t('consoleProvidersPage')}</BackTo>
      <Subject query={query} title={t('consoleProviderPage')} panel={t('providerHour')}>
        {(data) => <Shown key={account} data={data} account={account} />}
      </Subject>
    </>
  )
}

function Shown({
  data: { providers, routable },
  account,
}: {
  readonly data: Data
  readonly account: string
}) {
  const t = useConsoleText()
  const { data: proposals = [] } = useOpenProposals('provider.enable')
  const provider = providers.find(({ id }) => id === account)
  if (!provider)
    return (
      <>
        <PageHeader title={t('consoleProviderPage')} />
        <EmptyState icon={IconPlug} title={t('providerMissing')} />
      </>
    )
  const others = providers.filter((each) => each.provider === provider.provider && each.id !== account)
  return (
    <>
      <PageHeader title={provider.name} subtitle={account}>
        <Pause provider={provider} />
      </PageHeader>
      <div className={styles.columns}>
        <div className={grid('gap24')}>
          <Hour provider={provider} />
          <Routes routable={routable} account={account} />
        </div>
        <div className={grid('gap24')}>
          {proposals
            .filter(({ subject }) => subject === account)
            .map((proposal) => (
              <ProposalPanel key={proposal.id} proposal={proposal} />
            ))}
          <Budget provider={provider} />
          <Account provider={provider} />
          {others.length > 0 && <Others providers={others} />}
        </div>
      </div>
    </>
  )
}

interface OfProvider {
  readonly provider: ConsoleProvider
}

function State({ provider }: OfProvider) {
  const [tone, text] = stateOf(provider, useConsoleText())
  return <StatusBadge tone={tone}>{text}</StatusBadge>
}

function Hour({ provider }: OfProvider) {
  const t = useConsoleText()
  const { made, paid, declined, busy, blocked, halfWithinMs, mostWithinMs } = provider.calls
  return (
    <Panel title={t('providerHour')} aside={<State provider={provider} />} busy={false}>
      <div className={styles.body}>
        <Facts columns>
          <Fact name={t('providersCalls')}>{made}</Fact>
          <Fact name={t('providersAnswered')}>{answered(provider.calls)}</Fact>
          <Fact name={t('providerPaid')}>{`${paid} (${shareOf(paid, paid + declined)})`}</Fact>
          <Fact name={t('providerDeclined')}>{declined}</Fact>
          <Fact name={t('providerHalf')}>{seconds(halfWithinMs)}</Fact>
          <Fact name={t('providersSpeed')}>{seconds(mostWithinMs)}</Fact>
          <Fact name={t('providerBusy')}>{busy}</Fact>
          <Fact name={t('providerBlocked')}>{blocked}</Fact>
        </Facts>
      </div>
    </Panel>
  )
}

function Budget({ provider: { budget } }: OfProvider) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  return (
    <Panel title={t('providerLimit')} busy={false}>
      {budget === null ? (
        <NoneYet>{t('providerNoLimit')}</NoneYet>
      ) : (
        <div className={styles.body}>
          <Facts>
            {budget.callsPerMinute !== null && (
              <Fact name={t('providerPerMinute')}>{budget.callsPerMinute}</Fact>
            )}
            <Fact name={t('providersBudget')}>{budget.left}</Fact>
            {budget.pausedUntil !== null && (
              <Fact name={t('providerUntil')}>{dates.when(budget.pausedUntil)}</Fact>
            )}
          </Facts>
        </div>
      )}
    </Panel>
  )
}

function Account({ provider }: OfProvider) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const { methodLabel } = useFormats()
  const { methods, currencies, environment, changedAt, check } = provider
  return (
    <Panel title={t('providerAccount')} busy={false}>
      <div className={styles.body}>
        <Facts>
          <Fact name={t('providersMethod')}>{methods.map(methodLabel).join(', ')}</Fact>
          <Fact name={t('adjustCurrency')}>{currencies.join(', ')}</Fact>
          <Fact name={t('providerUse')}>{t(environment === 'live' ? 'providerLive' : 'providerTests')}</Fact>
          {changedAt !== null && <Fact name={t('providerChanged')}>{dates.when(changedAt)}</Fact>}
          <Fact name={t('providerChecked')}>
            {check === null
              ? t('providerNever')
              : t('providerCheck', { result: check.result, time: dates.when(check.at) })}
          </Fact>
        </Facts>
        {check?.isOfEarlierSettings && (
          <p className={font('sm', 'quiet', 'pretty', 'above8')}>{t('providerEarlier')}</p>
        )}
      </div>
    </Panel>
  )
}

function Others({ providers }: { readonly providers: readonly ConsoleProvider[] }) {
  const t = useConsoleText()
  return (
    <Panel title={t('providerOthers')} busy={false}>
      <ul className={`${bodyClass} ${grid('gap8')} ${place('list')}`}>
        {providers.map((provider) => (
          <li key={provider.id} className={styles.other}>
            <Link
              className={`textLink ${font('md', 'medium', 'anywhere')}`}
              to={providerAddress(provider.id)}
            >
              {provider.id}
            </Link>
            <State provider={provider} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
