import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
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

/** Without script all panels stand below each other. */
export function Tabs({ label, tabs }: TabsProps) {
  const [value, setValue] = useState(tabs[0].value)
  const list = useRef<HTMLDivElement>(null)

  const onKeyDown = (event: KeyboardEvent) => {
    const here = tabs.findIndex((tab) => tab.value === value)
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const next = to === undefined ? undefined : tabs.at(to % tabs.length)
    if (next === undefined) return
    event.preventDefault()
    setValue(next.value)
    list.current?.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus()
  }
  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className={styles.list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`tab-${tab.value}`}
            data-value={tab.value}
            aria-selected={tab.value === value}
            aria-controls={`panel-${tab.value}`}
            tabIndex={tab.value === value ? 0 : -1}
            className={styles.tab}
            onClick={() => setValue(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div className={styles.panels}>
        {tabs.map((tab) => (
          <div
            key={tab.value}
            role="tabpanel"
            id={`panel-${tab.value}`}
            aria-labelledby={`tab-${tab.value}`}
            data-active={tab.value === value || undefined}
            className={styles.panel}
          >
            {tab.content}
          </div>
        ))}
      </div>
    </div>
  )
}
