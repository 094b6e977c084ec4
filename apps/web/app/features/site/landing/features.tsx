import {
  IconBolt,
  IconChartBar,
  IconCreditCard,
  IconHeadset,
  IconShield,
  IconWorld,
} from '../../../components/icons.ts'
import { font, grid, surface } from '../../../components/ui/classes.ts'
import { Reveal } from '../reveal.tsx'
import { useSiteText } from '../text.tsx'
import styles from './features.module.css'

const features = [
  { title: 'payments', text: 'paymentsText', icon: IconCreditCard },
  { title: 'security', text: 'securityText', icon: IconShield },
  { title: 'reach', text: 'reachText', icon: IconWorld },
  { title: 'analytics', text: 'analyticsText', icon: IconChartBar },
  { title: 'integration', text: 'integrationText', icon: IconBolt },
  { title: 'allDay', text: 'allDayText', icon: IconHeadset },
] as const

const COLUMNS = 3
const STAGGER_MS = 70

export function Features() {
  const t = useSiteText()
  return (
    <section id="features" className={styles.section} aria-labelledby="features-title">
      <Reveal className={styles.head}>
        <h2 id="features-title" className={font('title', 'bold', 'huge', 'balance')}>
          {t('featuresTitle')}
        </h2>
        <p className={font('lg', 'quiet', 'pretty', 'above16')}>{t('featuresIntro')}</p>
      </Reveal>
      <ul className={`${styles.cards} ${grid('gap16', 'list')}`}>
        {features.map(({ title, text, icon: Icon }, index) => (
          <li key={title}>
            <Reveal
              className={`${styles.card} ${surface('surface')}`}
              delayMs={(index % COLUMNS) * STAGGER_MS}
            >
              <span className={styles.icon}>
                <Icon size={24} stroke={1.75} aria-hidden />
              </span>
              <h3 className={font('lg', 'semibold', 'close', 'above20')}>{t(title)}</h3>
              <p className={font('quiet', 'pretty', 'above6')}>{t(text)}</p>
            </Reveal>
          </li>
        ))}
      </ul>
    </section>
  )
}
