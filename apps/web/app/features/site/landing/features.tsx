import {
  IconBolt,
  IconChartBar,
  IconCreditCard,
  IconHeadset,
  IconShield,
  IconWorld,
} from '../../../components/icons.ts'
import { Reveal } from '../reveal.tsx'
import styles from './features.module.css'

const features = [
  {
    title: 'Seamless Payments',
    text: 'One page for every way to pay. Your customer confirms on the phone, and you see the money arrive.',
    icon: IconCreditCard,
  },
  {
    title: 'Enhanced Security',
    text: 'Two-step sign-in, keys that you can replace at any moment, and a ledger that nobody can rewrite.',
    icon: IconShield,
  },
  {
    title: 'Global Reach',
    text: 'Accept multiple currencies and payment methods, from a wallet in Harare to a card from abroad.',
    icon: IconWorld,
  },
  {
    title: 'Real-time Analytics',
    text: 'A dashboard with your revenue and transaction monitoring: each payment as it happens, with its state.',
    icon: IconChartBar,
  },
  {
    title: 'Quick Integration',
    text: 'Clear APIs and SDKs: your first payment takes one key and a few lines of code.',
    icon: IconBolt,
  },
  {
    title: '24/7 Support',
    text: 'Guides, live status and the support chat are open day and night. Write to us, and a person answers.',
    icon: IconHeadset,
  },
] as const

const COLUMNS = 3
const STAGGER_MS = 70

export const Features = () => (
  <section id="features" className={styles.section} aria-labelledby="features-title">
    <Reveal className={styles.head}>
      <h2 id="features-title" className={styles.title}>
        Everything between your customer and your money
      </h2>
      <p className={styles.intro}>Take a payment, see its state, and refund it when you must.</p>
    </Reveal>
    <ul className={styles.cards}>
      {features.map(({ title, text, icon: Icon }, index) => (
        <li key={title}>
          <Reveal className={styles.card} delayMs={(index % COLUMNS) * STAGGER_MS}>
            <span className={styles.icon}>
              <Icon size={24} stroke={1.75} aria-hidden />
            </span>
            <h3 className={styles.name}>{title}</h3>
            <p className={styles.text}>{text}</p>
          </Reveal>
        </li>
      ))}
    </ul>
  </section>
)
