import { type Currency, currencies } from '@muripo/contract/amounts'
import type { MerchantDetails } from '@muripo/contract/console'
import { useParams } from 'react-router'
import { ButtonLink } from '../../../components/ui/button.tsx'
import { font, grid, row } from '../../../components/ui/classes.ts'
import { Fact, Facts } from '../../../components/ui/facts.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { useConsoleMay } from '../api.ts'
import { useConsoleDates } from '../dates.ts'
import { DecisionButton } from '../decisions/decision-button.tsx'
import { useAmountCheck } from '../decisions/decision-fields.tsx'
import { ProposalPanel } from '../decisions/proposal-panel.tsx'
import { auditAddress } from '../entries.ts'
import { IconArrowRight } from '../icons.ts'
import { BackTo } from '../list-parts.tsx'
import { bodyClass, Subject } from '../panel-parts.tsx'
import { useMerchant } from '../queries.ts'
import { Reveal } from '../reveal.tsx'
import { documentText, priceText, useConsoleText } from '../text.ts'
import { Applications } from './applications.tsx'
import { MerchantDecision } from './decision.tsx'
import { DocumentPanel } from './document.tsx'
import { MerchantBadge } from './merchant-badge.tsx'
import styles from './merchants.module.css'
import { Notes } from './notes.tsx'

/** One merchant with everything that a decision about it needs. */
export default function Merchant() {
  const t = useConsoleText()
  const { merchantId = '' } = useParams()
  const merchant = useMerchant(merchantId)
  return (
    <>
      <BackTo to="/console/merchants">{t('consoleMerchantsPage')}</BackTo>
      <Subject query={merchant} title={t('consoleMerchantPage')} panel={t('merchantSaid')}>
        {(data) => <Shown merchant={data} />}
      </Subject>
    </>
  )
}

function Shown({ merchant }: { readonly merchant: MerchantDetails }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const readsAudit = useConsoleMay('console.audit.read')
  const { id, name, accountType, createdAt, proposals } = merchant
  return (
    <>
      <PageHeader
        title={name}
        subtitle={t('merchantSignedUp', {
          type: t(accountType === 'business' ? 'merchantBusiness' : 'merchantIndividual'),
          time: dates.when(createdAt),
        })}
      >
        <Adjust merchant={merchant} />
        {readsAudit && (
          <ButtonLink kind="default" to={auditAddress(id)} icon={IconArrowRight}>
            {t('consoleAuditPage')}
          </ButtonLink>
        )}
      </PageHeader>
      <div className={styles.columns}>
        <div className={grid('gap24')}>
          <DocumentPanel merchant={merchant} />
          <Applications merchant={merchant} />
          <Notes key={id} merchantId={id} />
        </div>
        <div className={grid('gap24')}>
          {proposals.map((proposal) => (
            <ProposalPanel key={proposal.id} proposal={proposal} />
          ))}
          <Said merchant={merchant} />
          {proposals.every(({ kind }) => !kind.startsWith('merchant.')) && (
            <MerchantDecision merchant={merchant} />
          )}
          <Volume merchant={merchant} />
        </div>
      </div>
    </>
  )
}

/** Moves an amount between accounts of the ledger. */
function Adjust({ merchant: { id, ledger, proposals } }: { readonly merchant: MerchantDetails }) {
  const t = useConsoleText()
  const checkAmount = useAmountCheck()
  const choices = ledger.accounts.map((value) => ({ value, label: value }))
  return (
    <DecisionButton
      kind="ledger.adjust"
      body={{ subject: id }}
      text={t('adjustText')}
      fields={[
        {
          name: 'amount',
          label: t('consoleAmount'),
          check: (value, { currency = '' }) => checkAmount(value, currency as Currency),
        },
        {
          name: 'currency',
          label: t('adjustCurrency'),
          initial: 'USD',
          choices: currencies.map((value) => ({ value, label: value })),
        },
        { name: 'credit', label: t('adjustFrom'), choices },
        {
          name: 'debit',
          label: t('adjustTo'),
          choices,
          check: (value, { credit }) => (value === credit ? t('adjustSame') : null),
        },
        ...(ledger.hasTests ? [{ name: 'forTests', label: t('adjustTests'), isBox: true } as const] : []),
      ]}
      proposals={proposals}
    />
  )
}

function Said({ merchant }: { readonly merchant: MerchantDetails }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const { id, email, phone, document, statusChange, revealedUntil } = merchant
  return (
    <Panel title={t('merchantSaid')} aside={<MerchantBadge merchant={merchant} />} busy={false}>
      <div className={styles.body}>
        <Facts>
          <Fact name={t('consoleEmail')}>{email}</Fact>
          <Fact name={t('consolePhone')}>{phone}</Fact>
          <Fact name={t('merchantDocumentType')}>{documentText(document.type, t)}</Fact>
          {statusChange && (
            <Fact name={t('merchantChanged')}>
              {t('merchantChangedBy', {
                time: dates.when(statusChange.at),
                name: statusChange.by,
                reason: statusChange.reason,
              })}
            </Fact>
          )}
        </Facts>
        <Reveal subject={id} revealedUntil={revealedUntil} />
      </div>
    </Panel>
  )
}

function Volume({ merchant: { volume } }: { readonly merchant: MerchantDetails }) {
  const t = useConsoleText()
  return (
    <Panel title={t('merchantVolume')} busy={false}>
      <div className={`${bodyClass} ${grid('gap8')}`}>
        {volume.length === 0 && <p className={font('md', 'quiet')}>{t('merchantNoVolume')}</p>}
        {volume.map(({ currency, payments, amount }) => (
          <p key={currency} className={row('wrap', 'between', 'gap12')}>
            <span className={font('md', 'quiet')}>{t('merchantPayments', { count: payments })}</span>
            <span className={font('md', 'medium', 'numbers')}>{priceText(currency, amount)}</span>
          </p>
        ))}
      </div>
    </Panel>
  )
}
