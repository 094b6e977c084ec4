import { IconArrowRight, IconCheck, IconLock } from '../../../components/icons.ts'
import { LogoIcon } from '../../../components/logo.tsx'
import { paths } from '../../../lib/paths.ts'
import { ActionLink } from '../action-link.tsx'
import { Reveal } from '../reveal.tsx'
import { Sentence, siteMeta, useSiteText } from '../text.tsx'
import { Features } from './features.tsx'
import hero from './hero.module.css'
import styles from './hero-scene.module.css'
import { Integration } from './integration.tsx'
import { methodMarks } from './method-marks.tsx'
import methods from './methods.module.css'

export const meta = siteMeta({ title: 'landingTitle', description: 'landingDescription' })

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

function Hero() {
  const t = useSiteText()
  return (
    <section className={hero.hero}>
      <div className={hero.inner}>
        <div>
          <h1 className={hero.headline}>{t('headline')}</h1>
          <p className={hero.sentence}>
            <Sentence
              of="heroSentence"
              values={{ hassleFree: <span className={hero.whole}>{t('hassleFree')}</span> }}
            />
          </p>
          <ActionLink to={paths.signUp} large>
            {t('startNow')}
            <IconArrowRight size={20} stroke={2} aria-hidden />
          </ActionLink>
        </div>
        <HeroScene />
      </div>
    </section>
  )
}

function Methods() {
  const t = useSiteText()
  return (
    <section className={methods.strip} aria-labelledby="methods">
      <Reveal className={methods.inner}>
        <h2 id="methods" className={methods.title}>
          {t('methods')}
        </h2>
        <ul className={methods.marks}>
          {methodMarks.map(({ name, mark: MethodMark }) => (
            <li key={name}>
              <MethodMark />
            </li>
          ))}
        </ul>
      </Reveal>
    </section>
  )
}

const pinKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0', '⌫']

/** A drawing of a phone with a wallet prompt, and of the payment that it completes. Screen readers skip its texts. */
export function HeroScene() {
  const t = useSiteText()
  return (
    <div className={styles.scene} role="img" aria-label={t('scene')}>
      <div className={styles.phone} aria-hidden="true">
        <div className={styles.screen}>
          <div className={styles.speaker} />
          <div className={styles.prompt}>
            <p className={styles.promptFrom}>{t('sceneWallet')}</p>
            <p className={styles.promptAmount}>USD 25.00</p>
            <p className={styles.promptText}>{t('sceneTo')}</p>
            <p className={styles.request}>{t('scenePin')}</p>
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
            {t('sceneApproved')}
            <small>{t('sceneApprovedTo')}</small>
          </div>
        </div>
      </div>
      <div className={styles.row} aria-hidden="true">
        <span className={styles.avatar}>
          <LogoIcon size={20} />
        </span>
        <span className={styles.what}>
          <b>{t('sceneBasket')}</b>
          <small>
            <IconLock size={12} stroke={2} /> EcoCash
          </small>
        </span>
        <span className={styles.figure}>USD25.00</span>
        <span className={styles.status}>
          <span className={styles.pending}>{t('scenePending')}</span>
          <span className={styles.completed}>{t('sceneCompleted')}</span>
        </span>
      </div>
    </div>
  )
}
