import type { ReactNode } from 'react'
import { Link } from 'react-router'
import createPayment from '../../../../../../packages/sdk/examples/create-payment.mjs?highlight'
import quickStart from '../../../../../../packages/sdk/examples/quick-start.sh?highlight'
import { IconArrowRight } from '../../../components/icons.ts'
import { font, grid, row, textLinkClass } from '../../../components/ui/classes.ts'
import { paths } from '../../../lib/paths.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { useAddress } from '../documentation/section.tsx'
import { Reveal } from '../reveal.tsx'
import { Sentence, useSiteText } from '../text.tsx'
import styles from './integration.module.css'

const steps = [
  ['stepAccount', 'stepAccountText'],
  ['stepApplication', 'stepApplicationText'],
  ['stepPayment', 'stepPaymentText'],
] as const

function QuickStart() {
  const t = useSiteText()
  return (
    <>
      <ol className={`${styles.guide} ${font('quiet')}`}>
        <li>
          <Sentence of="guideKey" values={{ getKey: <b>{t('guideKeyBold')}</b> }} />
        </li>
        <li>
          <Sentence of="guideAuthenticate" values={{ authenticate: <b>{t('guideAuthenticateBold')}</b> }} />
        </li>
        <li>
          <b>{t('guidePayment')}</b>
        </li>
      </ol>
      <CodeBlock title="Shell" name="quick-start" sample={quickStart} />
    </>
  )
}

export function Integration() {
  const t = useSiteText()
  const { fill } = useAddress()
  return (
    <section className={styles.band} aria-labelledby="integration">
      <div className={styles.inner}>
        <Reveal>
          <h2 id="integration" className={font('title', 'bold', 'huge', 'balance')}>
            {t('stepsTitle')}
          </h2>
          <ol className={`${styles.steps} ${grid('gap24', 'list')}`}>
            {steps.map(([title, text], index) => (
              <li key={title} className={row('gap16')}>
                <span className={`${styles.number} ${font('md', 'semibold', 'numbers')}`} aria-hidden="true">
                  {index + 1}
                </span>
                <div>
                  <h3 className={`${styles.step} ${font('lg', 'semibold')}`}>{t(title)}</h3>
                  <p className={font('quiet', 'above2')}>{t(text)}</p>
                </div>
              </li>
            ))}
          </ol>
          <Link
            to={paths.documentation}
            className={`${styles.more} ${textLinkClass} ${font('base', 'semibold')}`}
          >
            {t('fullDocumentation')}
            <IconArrowRight size={18} stroke={2} aria-hidden />
          </Link>
        </Reveal>
        <Reveal className={styles.code} delayMs={70}>
          <Tabs
            label={t('howToIntegrate')}
            tabs={[
              {
                value: 'api',
                label: t('apiExample'),
                content: (
                  <CodeBlock title="TypeScript" name="api-example" sample={createPayment} fill={fill} />
                ),
              },
              { value: 'npm', label: t('quickStartGuide'), content: <QuickStart /> },
            ]}
          />
        </Reveal>
      </div>
    </section>
  )
}

interface Tab {
  readonly value: string
  readonly label: string
  readonly content: ReactNode
}

interface TabsProps {
  readonly label: string
  /** The first tab is open at first. */
  readonly tabs: readonly [Tab, ...Tab[]]
}

/** The page's own script changes the panel. Without script all panels are shown below each other. */
export const Tabs = ({ label, tabs }: TabsProps) => (
  <div>
    <div role="tablist" aria-label={label} className={`${styles.list} ${row('wrap', 'gap4')}`} data-tabs>
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
          className={`${styles.tab} ${font('md', 'medium', 'quiet')}`}
        >
          {tab.label}
        </button>
      ))}
    </div>
    <div className={grid('above16')}>
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
