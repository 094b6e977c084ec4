import type { ConsoleProvider } from '@muripo/contract/console-operation'
import { Link } from 'react-router'
import { font, grid } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { EmptyState } from '../../../components/ui/empty-state.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { providerAddress } from '../entries.ts'
import { IconPlug } from '../icons.ts'
import { figure, List } from '../list-parts.tsx'
import { OpenProposals } from '../open-proposals.tsx'
import { useProviders } from '../operation-queries.ts'
import { useConsoleText } from '../text.ts'
import { answered, seconds, stateOf } from './figures.ts'
import { Pause } from './pause.tsx'
import styles from './providers.module.css'
import { Routes } from './routes.tsx'

/** The accounts at providers, and the routes of merchants with own ones. */
export default function Providers() {
  const t = useConsoleText()
  const query = useProviders()
  const columns = useColumns()
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
        {query.data && <Routes routable={query.data.routable} />}
      </div>
    </>
  )
}

function useColumns(): readonly Column<ConsoleProvider>[] {
  const t = useConsoleText()
  const { methodLabel } = useFormats()
  return [
    {
      title: t('manualProvider'),
      area: 'name',
      cell: ({ id, name, methods, currencies }) => (
        <span className={grid()}>
          <Link className={`textLink ${font('md', 'semibold', 'anywhere')}`} to={providerAddress(id)}>
            {name}
          </Link>
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
    figure(t('providersSpeed'), 'speed', ({ calls }) => seconds(calls.mostWithinMs)),
    figure(t('providersBudget'), 'budget', ({ budget }) => budget?.left ?? '–'),
    {
      title: t('providersPause'),
      isTitleHidden: true,
      area: 'act',
      align: 'end',
      placeholder: 'button',
      cell: (provider) => <Pause provider={provider} />,
    },
  ]
}
