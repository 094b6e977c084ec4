import type { ConsoleProvider } from '@muripo/contract/console-operation'
import { useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { DecisionButton } from '../decisions/decision-button.tsx'
import { useDecider } from '../decisions/kinds.ts'
import { ReasonDialog } from '../decisions/reason-dialog.tsx'
import { useProposal } from '../decisions/use-proposal.ts'
import { IconPlug } from '../icons.ts'
import { figure, List } from '../list-parts.tsx'
import { OpenProposals } from '../open-proposals.tsx'
import { useOpenProposals, useProviders } from '../operation-queries.ts'
import { NoneYet } from '../panel-parts.tsx'
import { type ConsoleText, useConsoleText } from '../text.ts'
import styles from './providers.module.css'

type Tone = Parameters<typeof StatusBadge>[0]['tone']

function stateOf({ state, health }: ConsoleProvider, t: ConsoleText): readonly [Tone, string] {
  if (state === 'disabled') return ['grey', t('providersPaused')]
  if (state === 'absent') return ['grey', t('providersAbsent')]
  if (health === 'down') return ['red', t('providersDown')]
  return health === 'degraded' ? ['yellow', t('providersSlow')] : ['green', t('providersWell')]
}

/** "99%"; nothing without calls. */
const answered = ({ made, unanswered }: ConsoleProvider['calls']): string =>
  made === 0 ? '–' : `${Math.floor((100 * (made - unanswered)) / made)}%`

/** The accounts at providers, and the routes of merchants with own ones. */
export default function Providers() {
  const t = useConsoleText()
  const query = useProviders()
  const [chosen, setChosen] = useState<ConsoleProvider | null>(null)
  const columns = useColumns(setChosen)
  const items = query.data?.providers
  return (
    <>
      <PageHeader title={t('consoleProvidersPage')} subtitle={t('providersText')} />
      <OpenProposals kinds={['provider.']} />
      <div className={grid('gap24')}>
        <Panel title={t('consoleProvidersPage')} busy={!items}>
          <List
            label={t('consoleProvidersPage')}
            className={styles.list}
            columns={columns}
            query={query}
            items={items}
            keyOf={({ id }) => id}
            none={<EmptyState icon={IconPlug} title={t('providersNone')} />}
          />
        </Panel>
        {query.data && <Routes routes={query.data.routes} />}
      </div>
      {chosen && <Pause key={chosen.id} provider={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

/** Pauses at once, since a delay harms payers; the way back is a proposal. */
function Pause({ provider, onClose }: { readonly provider: ConsoleProvider; readonly onClose: () => void }) {
  const t = useConsoleText()
  const { isAlone } = useDecider()
  const { id, name, state } = provider
  const kind = state === 'disabled' ? 'provider.enable' : 'provider.disable'
  const title = t(state === 'disabled' ? 'providersResumeOf' : 'providersPauseOf', { name })
  const change = useProposal(onClose)
  return (
    <ReasonDialog
      opened
      title={title}
      text={t(state === 'disabled' ? 'providersResumeText' : 'providersPauseText')}
      help={t(isAlone(kind) ? 'reasonAlone' : 'reasonForSecond')}
      verb={isAlone(kind) ? title : t('proposeDo')}
      danger={state !== 'disabled'}
      running={change.isPending}
      error={change.error}
      onClose={onClose}
      onReason={(reason) => change.mutate({ kind, subject: id, reason })}
    />
  )
}

function useColumns(onChoose: (provider: ConsoleProvider) => void): readonly Column<ConsoleProvider>[] {
  const t = useConsoleText()
  const { methodLabel } = useFormats()
  return [
    {
      title: t('manualProvider'),
      area: 'name',
      cell: ({ name, methods, currencies }) => (
        <span className={grid()}>
          <span className={font('md', 'semibold', 'anywhere')}>{name}</span>
          <span className={font('sm', 'quiet')}>
            {`${methods.map(methodLabel).join(', ')}, ${currencies.join(', ')}`}
          </span>
        </span>
      ),
    },
    {
      title: t('consoleStatus'),
      area: 'state',
      placeholder: 'badge',
      cell: (provider) => {
        const [tone, text] = stateOf(provider, t)
        return <StatusBadge tone={tone}>{text}</StatusBadge>
      },
    },
    figure(t('providersCalls'), 'calls', ({ calls: { made } }) => made),
    figure(t('providersAnswered'), 'answered', ({ calls }) => answered(calls)),
    figure(t('providersSpeed'), 'speed', ({ calls: { mostWithinMs } }) =>
      mostWithinMs === null ? '–' : `${mostWithinMs / 1000} s`,
    ),
    figure(t('providersBudget'), 'budget', ({ budget }) => budget?.left ?? '–'),
    {
      title: t('providersPause'),
      isTitleHidden: true,
      area: 'act',
      align: 'end',
      placeholder: 'button',
      cell: (provider) =>
        provider.state === 'absent' ? null : (
          <Button
            kind="default"
            aria-haspopup="dialog"
            aria-label={t(provider.state === 'disabled' ? 'providersResumeOf' : 'providersPauseOf', {
              name: provider.name,
            })}
            onClick={() => onChoose(provider)}
          >
            {t(provider.state === 'disabled' ? 'providersResume' : 'providersPause')}
          </Button>
        ),
    },
  ]
}

type Route = NonNullable<ReturnType<typeof useProviders>['data']>['routes'][number]

const routeText = (accounts: readonly string[]): string => accounts.join(', ') || 'none'

/** The gateway's own route, none, one account, or two in order. */
function routeChoices(possible: readonly string[], t: ConsoleText) {
  const pairs = possible.flatMap((first) =>
    possible.filter((second) => second !== first).map((second) => [first, second] as const),
  )
  return [
    { value: 'default', label: t('routeDefault') },
    { value: 'none', label: t('routeNone') },
    ...possible.map((value) => ({ value, label: value })),
    ...pairs.map(([first, second]) => ({
      value: routeText([first, second]),
      label: t('routeThen', { first, second }),
    })),
  ]
}

function Routes({ routes }: { readonly routes: readonly Route[] }) {
  const t = useConsoleText()
  const { data: proposals = [] } = useOpenProposals('provider.')
  const { methodLabel } = useFormats()
  const columns: readonly Column<Route>[] = [
    {
      title: t('merchantName'),
      area: 'name',
      className: font('anywhere', 'medium'),
      cell: ({ merchantName }) => merchantName,
    },
    {
      title: t('providersMethod'),
      area: 'method',
      isQuiet: true,
      cell: ({ method, currency }) => `${methodLabel(method)}${currency === null ? '' : `, ${currency}`}`,
    },
    {
      title: t('providersAccounts'),
      area: 'accounts',
      className: font('anywhere'),
      cell: ({ accounts }) => accounts.join(', ') || t('routeNone'),
    },
    {
      title: t('kindRoute'),
      isTitleHidden: true,
      area: 'act',
      align: 'end',
      cell: ({ merchantId, merchantName, method, currency, accounts, possible }) => (
        <DecisionButton
          kind="provider.route"
          body={{ subject: merchantId, method, ...(currency !== null && { currency }) }}
          text={t('routeText')}
          fields={[
            {
              name: 'route',
              label: t('providersAccounts'),
              choices: routeChoices(possible, t).filter(({ value }) => value !== routeText(accounts)),
            },
          ]}
          proposals={proposals}
          name={`${merchantName}, ${methodLabel(method)}`}
        />
      ),
    },
  ]
  return (
    <Panel title={t('providersRoutes')} busy={false}>
      <List
        label={t('providersRoutes')}
        className={styles.routes}
        columns={columns}
        items={routes}
        keyOf={({ merchantId, method, currency }) => `${merchantId} ${method} ${currency}`}
        none={<NoneYet>{t('providersNoRoutes')}</NoneYet>}
      />
    </Panel>
  )
}
