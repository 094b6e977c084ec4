import { displayPrice, type PricedMethod, pricedMethods, pricing } from '@muripo/contract/pricing'
import { Link } from 'react-router'
import { IconCheck, IconPlus } from '../../../components/icons.ts'
import { pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { ActionLink, CallToAction } from '../action-link.tsx'
import { Tabs } from '../landing/integration.tsx'
import { PageHero } from '../page-hero.tsx'
import { Calculator, featureWords, methodSentences } from './calculator.tsx'
import styles from './pricing.module.css'

export const meta = pageMeta({
  title: 'Pricing and Charges · Muripo',
  description:
    'One fee for each payment you receive, and nothing else: credit cards, bank transfers, mobile money and cryptocurrency, with a calculator that says what is left for you.',
})

export default function Pricing() {
  return (
    <>
      <PageHero
        title="Pay only when you are paid"
        sentence="One fee for each payment you receive. No setup fees, no monthly fees, nothing to cancel."
      />
      <div className={styles.body}>
        <div className={styles.inner}>
          <div className={styles.columns}>
            <section aria-labelledby="fees">
              <h2 id="fees" className={styles.title}>
                Fees by payment method
              </h2>
              <MethodTabs />
              <p className={styles.note}>
                These are the prices of Muripo. The methods that your customers can use today are in the{' '}
                <Link to={`${paths.documentation}#payment-methods`}>documentation</Link>.
              </p>
            </section>
            <Calculator />
          </div>
          <Questions />
        </div>
      </div>
      <CallToAction
        title="Start today, pay nothing until you sell"
        sentence="Open an account, create an application, and take your first payment."
      >
        <ActionLink to={paths.signUp}>Create an Account</ActionLink>
        <ActionLink to={paths.documentation} quiet>
          Read the Documentation
        </ActionLink>
      </CallToAction>
    </>
  )
}

const Price = ({ method }: { readonly method: PricedMethod }) => (
  <article className={styles.method}>
    <h3 className={styles.methodName}>{pricing[method].label}</h3>
    <p className={styles.sentence}>{methodSentences[method]}</p>
    <p className={styles.fee}>{displayPrice(pricing[method])}</p>
    <p className={styles.per}>for each payment you receive</p>
    <ul className={styles.features}>
      {pricing[method].features.map((feature) => (
        <li key={feature}>
          <IconCheck size={20} stroke={2} aria-hidden />
          {featureWords[feature]}
        </li>
      ))}
    </ul>
  </article>
)

const tabOf = (method: PricedMethod) => ({
  value: method,
  label: pricing[method].label,
  content: <Price method={method} />,
})
const [first, ...rest] = pricedMethods.map(tabOf)

const MethodTabs = () => first && <Tabs label="Payment method" tabs={[first, ...rest]} />

const questions = [
  [
    'Are there any setup fees?',
    'No. There are no setup fees, and no monthly ones: you pay a fee only when you are paid.',
  ],
  [
    'How long does settlement take?',
    'Settlement takes 1-2 business days, counted from the day on which your customer has paid.',
  ],
  [
    'Which countries are supported?',
    'Payments are supported from over 100 countries. Which methods a customer sees depends on the currency of the payment.',
  ],
  [
    'Can a fee be more than the payment?',
    'No. On a very small payment the fee is never more than the payment itself.',
  ],
] as const

const Questions = () => (
  <section className={styles.questions} aria-labelledby="faq">
    <h2 id="faq" className={styles.questionsTitle}>
      Frequently asked questions
    </h2>
    <div className={styles.questionList}>
      {questions.map(([question, answer], index) => (
        <details key={question} className={styles.question} open={index < 3}>
          <summary>
            <h3>{question}</h3>
            <IconPlus size={20} stroke={1.75} aria-hidden />
          </summary>
          <p>{answer}</p>
        </details>
      ))}
    </div>
  </section>
)
