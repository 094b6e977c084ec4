import type { ReactNode } from 'react'
import { Link } from 'react-router'
import createPayment from '../../../../../../packages/sdk/examples/create-payment.ts?highlight'
import quickStart from '../../../../../../packages/sdk/examples/quick-start.sh?highlight'
import { IconArrowRight } from '../../../components/icons.ts'
import { paths } from '../../../lib/paths.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { Reveal } from '../reveal.tsx'
import styles from './integration.module.css'

const steps = [
  ['Create your account', 'Sign up with your business or your own name.'],
  ['Create an application', 'It gives you the key that your server identifies itself with.'],
  ['Create a payment', 'Send your customer to the page in the answer. We do the rest.'],
] as const

const QuickStart = () => (
  <>
    <ol className={styles.guide}>
      <li>
        <b>Get an API key</b> from the dashboard.
      </li>
      <li>
        <b>Authenticate</b> with a bearer key in the header of every call.
      </li>
      <li>
        <b>Create a payment.</b>
      </li>
    </ol>
    <CodeBlock title="Shell" name="quick-start" sample={quickStart} />
  </>
)

export const Integration = () => (
  <section className={styles.band} aria-labelledby="integration">
    <div className={styles.inner}>
      <Reveal>
        <h2 id="integration" className={styles.title}>
          Get started in 3 simple steps
        </h2>
        <ol className={styles.steps}>
          {steps.map(([title, text], index) => (
            <li key={title}>
              <span className={styles.number} aria-hidden="true">
                {index + 1}
              </span>
              <div>
                <h3 className={styles.step}>{title}</h3>
                <p className={styles.text}>{text}</p>
              </div>
            </li>
          ))}
        </ol>
        <Link to={paths.documentation} className={styles.more}>
          View Full Documentation
          <IconArrowRight size={18} stroke={2} aria-hidden />
        </Link>
      </Reveal>
      <Reveal className={styles.code} delayMs={70}>
        <Tabs
          label="How to integrate"
          tabs={[
            {
              value: 'api',
              label: 'API Example',
              content: <CodeBlock title="TypeScript" name="api-example" sample={createPayment} />,
            },
            { value: 'npm', label: 'Quick Start Guide', content: <QuickStart /> },
          ]}
        />
      </Reveal>
    </div>
  </section>
)

interface Tab {
  readonly value: string
  readonly label: string
  readonly content: ReactNode
}

interface TabsProps {
  readonly label: string
  /** The first is the one that shows. */
  readonly tabs: readonly [Tab, ...Tab[]]
}

/** The page's own script changes the panel. Without script all panels stand below each other. */
export const Tabs = ({ label, tabs }: TabsProps) => (
  <div>
    <div role="tablist" aria-label={label} className={styles.list} data-tabs>
      {tabs.map((tab, index) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={`tab-${tab.value}`}
          data-value={tab.value}
          aria-selected={index === 0}
          aria-controls={`panel-${tab.value}`}
          tabIndex={index === 0 ? 0 : -1}
          className={styles.tab}
        >
          {tab.label}
        </button>
      ))}
    </div>
    <div className={styles.panels}>
      {tabs.map((tab, index) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`panel-${tab.value}`}
          aria-labelledby={`tab-${tab.value}`}
          data-active={index === 0 || undefined}
          className={styles.panel}
        >
          {tab.content}
        </div>
      ))}
    </div>
  </div>
)
