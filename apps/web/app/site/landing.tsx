import { Link } from 'react-router'
import { paths } from '../lib/paths.ts'
import { IconArrowRight } from '../ui/icons.ts'
import { Mark } from '../ui/mark.tsx'
import { SiteBar } from '../ui/site-bar.tsx'
import { HeroScene } from './hero-scene.tsx'
import styles from './landing.module.css'

const description =
  'Accept payments internationally and instantly with a hassle-free gateway: mobile wallets and cards behind one simple integration.'

export const meta = () => [
  { title: 'Muripo · Seamless payment solutions for your business' },
  { name: 'description', content: description },
  { property: 'og:title', content: 'Muripo · Seamless payment solutions for your business' },
  { property: 'og:description', content: description },
  { property: 'og:type', content: 'website' },
]

export default function Landing() {
  return (
    <>
      <SiteBar />
      <main>
        <section className={styles.hero}>
          <div className={styles.inner}>
            <div className={styles.words}>
              <h1 className={styles.headline}>Seamless payment solutions for your business</h1>
              <p className={styles.sentence}>
                Accept payments internationally and instantly with a hassle-free gateway. Your customers pay
                with the wallet in their hand or the card in their pocket.
              </p>
              <Link to={paths.signUp} className={styles.cta}>
                Start Now - It's Free
                <IconArrowRight size={20} stroke={2} aria-hidden />
              </Link>
            </div>
            <HeroScene />
          </div>
        </section>
      </main>
      <footer className={styles.footer}>
        <Link to={paths.home} className={styles.footerBrand} aria-label="Muripo home">
          <Mark size={22} />
        </Link>
        <p>© {new Date().getFullYear()} Muripo. All rights reserved</p>
      </footer>
    </>
  )
}
