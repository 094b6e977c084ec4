import { displayPrice, type PricedMethod, pricing } from '@muripo/contract/pricing'
import { Link } from 'react-router'
import { IconCheck, IconPlus } from '../../../components/icons.ts'
import { font, grid, row, surface } from '../../../components/ui/classes.ts'
import { paths } from '../../../lib/paths.ts'
import { ActionLink, CallToAction } from '../action-link.tsx'
import { Tabs } from '../landing/integration.tsx'
import { PageHero } from '../page-hero.tsx'
import { pagesMeta, Sentence, usePagesText } from '../pages-text.ts'
import { Calculator } from './calculator.tsx'
import styles from './pricing.module.css'

export const meta = pagesMeta({ title: 'pricingTitle', description: 'pricingDescription' })

export default function Pricing() {
  const t = usePagesText()
  return (
    <>
      <PageHero title={t('pricingHead')} sentence={t('pricingSentence')} />
      <div className={styles.body}>
        <div className={styles.inner}>
          <div className={styles.columns}>
            <section aria-labelledby="fees">
              <h2 id="fees" className={`${styles.title} ${font('title', 'bold', 'tight')}`}>
                {t('feesTitle')}
              </h2>
              <MethodTabs />
              <p className={`${styles.note} ${font('md', 'quiet', 'above24')}`}>
                <Sentence
                  of="pricesNote"
                  values={{
                    documentation: (
                      <Link to={`${paths.documentation}#payment-methods`}>{t('pricesNoteLink')}</Link>
                    ),
                  }}
                />
              </p>
            </section>
            <Calculator />
          </div>
          <Questions />
        </div>
      </div>
      <CallToAction title={t('startToday')} sentence={t('startTodayText')}>
        <ActionLink to={paths.signUp}>{t('createAccount')}</ActionLink>
        <ActionLink to={paths.documentation} quiet>
          {t('readDocumentation')}
        </ActionLink>
      </CallToAction>
    </>
  )
}

const methods = [
  ['creditCards', 'creditCardsText'],
  ['bankTransfers', 'bankTransfersText'],
  ['mobileMoney', 'mobileMoneyText'],
  ['cryptocurrency', 'cryptocurrencyText'],
] as const satisfies readonly (readonly [PricedMethod, string])[]
type Method = (typeof methods)[number]

function Price({ method: [method, sentence] }: { readonly method: Method }) {
  const t = usePagesText()
  return (
    <article className={`${styles.method} ${surface('surface')}`}>
      <h3 className={font('lg', 'bold', 'close')}>{t(method)}</h3>
      <p className={font('quiet', 'above6')}>{t(sentence)}</p>
      <p className={font('title', 'bold', 'huge', 'numbers', 'above24')}>{displayPrice(pricing[method])}</p>
      <p className={font('md', 'quiet', 'above6')}>{t('perPayment')}</p>
      <ul className={`${styles.features} ${grid('gap12', 'list', 'above24')}`}>
        {pricing[method].features.map((feature) => (
          <li key={feature} className={`${styles.feature} ${row()}`}>
            <IconCheck size={20} stroke={2} aria-hidden />
            {t(feature)}
          </li>
        ))}
      </ul>
    </article>
  )
}

function MethodTabs() {
  const t = usePagesText()
  const [first, ...rest] = methods.map((method) => ({
    value: method[0],
    label: t(method[0]),
    content: <Price method={method} />,
  }))
  return first && <Tabs label={t('paymentMethod')} tabs={[first, ...rest]} />
}

const questions = [
  ['setupQuestion', 'setupAnswer'],
  ['settlementQuestion', 'settlementAnswer'],
  ['countriesQuestion', 'countriesAnswer'],
  ['feeQuestion', 'feeAnswer'],
] as const

function Questions() {
  const t = usePagesText()
  return (
    <section className={styles.questions} aria-labelledby="faq">
      <h2 id="faq" className={font('title', 'bold', 'tight')}>
        {t('questions')}
      </h2>
      <div className={styles.questionList}>
        {questions.map(([question, answer], index) => (
          <details key={question} className={styles.question} open={index < 3}>
            <summary className={row('centre', 'between', 'gap16')}>
              <h3 className={font('lg', 'semibold')}>{t(question)}</h3>
              <IconPlus size={20} stroke={1.75} aria-hidden />
            </summary>
            <p className={font('quiet')}>{t(answer)}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
