import { Link } from 'react-router'
import { IconArrowRight, IconCheck, IconLock } from '../../../components/icons.ts'
import { LogoIcon } from '../../../components/logo.tsx'
import { pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Reveal } from '../reveal.tsx'
import { Features } from './features.tsx'
import hero from './hero.module.css'
import styles from './hero-scene.module.css'
import { Integration } from './integration.tsx'
import { marks } from './method-marks.tsx'
import methods from './methods.module.css'

export const meta = pageMeta({
  title: 'Muripo · Seamless payment solutions for your business',
  description:
    'Accept payments internationally and instantly with a hassle-free gateway: mobile wallets and cards behind one simple integration.',
})

export default function Landing() {
  return (
    <>
      <Hero />
      <Methods />
      <Features />
      <Integration />
    </>
  )
}

const Hero = () => (
  <section className={hero.hero}>
    <div className={hero.inner}>
      <div>
        <h1 className={hero.headline}>Seamless payment solutions for your business</h1>
        <p className={hero.sentence}>
          Accept payments internationally and instantly with a <span className={hero.whole}>hassle-free</span>{' '}
          gateway for mobile wallets and cards.
        </p>
        <Link to={paths.signUp} className={hero.cta}>
          Start Now - It's Free
          <IconArrowRight size={20} stroke={2} aria-hidden />
        </Link>
      </div>
      <HeroScene />
    </div>
  </section>
)

const Methods = () => (
  <section className={methods.strip} aria-labelledby="methods">
    <Reveal className={methods.inner}>
      <h2 id="methods" className={methods.title}>
        Accepted payment methods
      </h2>
      <ul className={methods.marks}>
        {marks.map(({ name, mark: MethodMark }) => (
          <li key={name}>
            <MethodMark />
          </li>
        ))}
      </ul>
    </Reveal>
  </section>
)

const pinKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0', '⌫']

/** A phone that shows a wallet prompt, and the payment row that it completes. A picture: its words are for the eye only. */
export function HeroScene() {
  return (
    <div
      className={styles.scene}
      role="img"
      aria-label="A customer confirms a payment of 25 dollars on a phone, and the payment turns from Pending to Completed."
    >
      <div className={styles.phone} aria-hidden="true">
        <div className={styles.screen}>
          <div className={styles.speaker} />
          <div className={styles.prompt}>
            <p className={styles.promptFrom}>Mobile wallet</p>
            <p className={styles.promptAmount}>USD 25.00</p>
            <p className={styles.promptText}>to Chiedza Crafts</p>
            <p className={styles.request}>Enter your PIN to confirm</p>
            <div className={styles.pin}>
              <i />
              <i />
              <i />
              <i />
            </div>
          </div>
          <div className={styles.keys}>
            {pinKeys.map((key) => (
              <span key={key}>{key}</span>
            ))}
          </div>
          <div className={styles.approved}>
            <span>
              <IconCheck size={26} stroke={2.5} />
            </span>
            Payment approved
            <small>USD 25.00 to Chiedza Crafts</small>
          </div>
        </div>
      </div>
      <div className={styles.row} aria-hidden="true">
        <span className={styles.avatar}>
          <LogoIcon size={20} />
        </span>
        <span className={styles.what}>
          <b>Woven basket</b>
          <small>
            <IconLock size={12} stroke={2} /> EcoCash
          </small>
        </span>
        <span className={styles.figure}>$25.00</span>
        <span className={styles.status}>
          <span className={styles.pending}>Pending</span>
          <span className={styles.completed}>Completed</span>
        </span>
      </div>
    </div>
  )
}
