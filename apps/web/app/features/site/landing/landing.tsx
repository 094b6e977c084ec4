import { Link } from 'react-router'
import { IconArrowRight } from '../../../components/icons.ts'
import { pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Reveal } from '../reveal.tsx'
import { Features } from './features.tsx'
import hero from './hero.module.css'
import { HeroScene } from './hero-scene.tsx'
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
