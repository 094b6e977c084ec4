import { Link } from 'react-router'
import { pageMeta } from '../lib/page-meta.ts'
import { paths } from '../lib/paths.ts'
import { IconArrowRight } from '../ui/icons.ts'
import { HeroScene } from './hero-scene.tsx'
import styles from './landing.module.css'

const description =
  'Accept payments internationally and instantly with a hassle-free gateway: mobile wallets and cards behind one simple integration.'

export const meta = pageMeta({ title: 'Muripo · Seamless payment solutions for your business', description })

export default function Landing() {
  return (
    <section className={styles.hero}>
      <div className={styles.inner}>
        <div className={styles.words}>
          <h1 className={styles.headline}>Seamless payment solutions for your business</h1>
          <p className={styles.sentence}>
            Accept payments internationally and instantly with a hassle-free gateway. Your customers pay with
            the wallet in their hand or the card in their pocket.
          </p>
          <Link to={paths.signUp} className={styles.cta}>
            Start Now - It's Free
            <IconArrowRight size={20} stroke={2} aria-hidden />
          </Link>
        </div>
        <HeroScene />
      </div>
    </section>
  )
}
