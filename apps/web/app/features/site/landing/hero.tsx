import { Link } from 'react-router'
import { IconArrowRight } from '../../../components/icons.ts'
import { paths } from '../../../lib/paths.ts'
import styles from './hero.module.css'
import { HeroScene } from './hero-scene.tsx'

export const Hero = () => (
  <section className={styles.hero}>
    <div className={styles.inner}>
      <div>
        <h1 className={styles.headline}>Seamless payment solutions for your business</h1>
        <p className={styles.sentence}>
          Accept payments internationally and instantly with a{' '}
          <span className={styles.whole}>hassle-free</span> gateway for mobile wallets and cards.
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
