import { currencies } from '@muripo/contract/amounts'
import type { listConsoleProviders, MerchantRoute } from '@muripo/contract/console-operation'
import { paymentMethods } from '@muripo/contract/enums'
import type { Reply } from '@muripo/contract/route'
import { font, row } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { DecisionButton } from '../decisions/decision-button.tsx'
import type { DecisionField } from '../decisions/decision-fields.tsx'
import { List, More } from '../list-parts.tsx'
import { useOpenProposals, useRoutes } from '../operation-queries.ts'
import { bodyClass, NoneYet } from '../panel-parts.tsx'
import { useConsoleText } from '../text.ts'
import styles from './providers.module.css'

type Routable = Reply<typeof listConsoleProviders>['routable']

interface RoutesProps {
  readonly routable: Routable
  /** Only the routes with this account. */
  readonly account?: string
}

/** The routes of merchants with own ones. */
export function Routes({ routable, account }: RoutesProps) {
  const t = useConsoleText()
  const query = useRoutes(account)
  const { data: proposals = [] } = useOpenProposals('provider.')
  const { methodLabel } = useFormats()
  const routeField = useRouteField(routable)
  const title = t(account === undefined ? 'providersRoutes' : 'routesOfAccount')
  const items = query.data?.pages.flatMap(({ routes }) => routes)
  const columns: readonly Column<MerchantRoute>[] = [
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
      cell: ({ merchantId, merchantName, method, currency, accounts }) => (
        <DecisionButton
          kind="provider.route"
          body={{ subject: merchantId, method, ...(currency !== null && { currency }) }}
          text={t('routeText')}
          fields={[routeField({ method, currency: currency ?? '' }, accounts)]}
          proposals={proposals}
          name={`${merchantName}, ${methodLabel(method)}`}
        />
      ),
    },
  ]
  return (
    <Panel title={title} busy={!items}>
      <List
        label={title}
        className={styles.routes}
        columns={columns}
        query={query}
        items={items}
        keyOf={({ merchantId, method, currency }) => `${merchantId} ${method} ${currency}`}
        none={<NoneYet>{t(account === undefined ? 'providersNoRoutes' : 'routesNone')}</NoneYet>}
      />
      <More {...query} />
      {account === undefined && (
        <div className={`${bodyClass} ${row('wrap', 'gap12', 'above16')}`}>
          <FirstRoute routable={routable} />
        </div>
      )}
    </Panel>
  )
}

/** A route for any merchant and method, also for a merchant without a route of its own. */
function FirstRoute({ routable }: { readonly routable: Routable }) {
  const t = useConsoleText()
  const { methodLabel } = useFormats()
  const routeField = useRouteField(routable)
  return (
    <DecisionButton
      kind="provider.route"
      label={t('routeAdd')}
      body={{ subject: null }}
      text={t('routeText')}
      fields={[
        { name: 'subject', label: t('routeMerchant') },
        {
          name: 'method',
          label: t('providersMethod'),
          choices: paymentMethods.map((value) => ({ value, label: methodLabel(value) })),
        },
        {
          name: 'currency',
          label: t('adjustCurrency'),
          isOptional: true,
          choices: [
            { value: '', label: t('routeEach') },
            ...currencies.map((value) => ({ value, label: value })),
          ],
        },
        routeField(null),
      ]}
    />
  )
}

/** Returns the field of the accounts in their order. @param of the route; null where other fields say which */
function useRouteField(routable: Routable) {
  const t = useConsoleText()
  const accountsFor = ({
    method,
    currency = '',
  }: {
    method?: string | undefined
    currency?: string | undefined
  }) => routable.find((each) => each.method === method && (each.currency ?? '') === currency)?.accounts ?? []
  return (
    of: { readonly method: string; readonly currency: string } | null,
    present?: readonly string[],
  ): DecisionField => ({
    name: 'route',
    label: t('providersAccounts'),
    order: (values) => accountsFor(of ?? values),
    check(value, values) {
      if (value === 'default' || value === 'none') return null
      if (present?.length && value === present.join(', ')) return t('routeSame')
      const possible = accountsFor(of ?? values)
      return value.split(', ').every((account) => possible.includes(account)) ? null : t('fieldMissing')
    },
  })
}
