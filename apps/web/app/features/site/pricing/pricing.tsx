import { Link } from 'react-router'
import { pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { ActionLink, CallToAction } from '../action-link.tsx'
import { PageHero } from '../page-hero.tsx'
import { Calculator } from './calculator.tsx'
import { MethodTabs } from './method-tabs.tsx'
import styles from './pricing.module.css'
import { Questions } from './questions.tsx'

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
                These are the prices of Muripo. Which methods your customers can use today stands in the{' '}
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
