import { IconArrowRight, IconCheck, IconLock } from '../../../components/icons.ts'
import { LogoIcon } from '../../../components/logo.tsx'
import { font, grid, place, row, stack, surface } from '../../../components/ui/classes.ts'
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
    <section className={`${hero.hero} ${surface('ink')} ${row()}`}>
      <div className={hero.inner}>
        <div>
          <h1 className={`${hero.headline} ${font('display', 'bold', 'balance')}`}>{t('headline')}</h1>
          <p className={`${hero.sentence} ${font('lg', 'onInkQuiet', 'pretty')}`}>
            <Sentence
              of="heroSentence"
              values={{ hassleFree: <span className={font('nowrap')}>{t('hassleFree')}</span> }}
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
        <h2 id="methods" className={font('md', 'medium', 'quiet', 'centred')}>
          {t('methods')}
        </h2>
        <ul className={`${methods.marks} ${grid('list')}`}>
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
        <div className={`${styles.screen} ${stack()}`}>
          <div className={styles.speaker} />
          <div className={font('centred')}>
            <p className={font('xs', 'medium', 'quiet')}>{t('sceneWallet')}</p>
            <p className={font('xl', 'bold', 'close', 'numbers', 'above4')}>USD 25.00</p>
            <p className={font('xs', 'quiet')}>{t('sceneTo')}</p>
            <p className={`${styles.request} ${font('xs', 'medium')}`}>{t('scenePin')}</p>
            <div className={`${styles.pin} ${row('middle')}`}>
              <i />
              <i />
              <i />
              <i />
            </div>
          </div>
          <div className={`${styles.keys} ${grid('gap8')} ${font('base', 'medium')}`}>
            {pinKeys.map((key) => (
              <span key={key}>{key}</span>
            ))}
          </div>
          <div className={`${styles.approved} ${stack('centre', 'middle')} ${font('md', 'semibold')}`}>
            <span>
              <IconCheck size={26} stroke={2.5} />
            </span>
            {t('sceneApproved')}
            <small className={font('xs', 'medium', 'quiet')}>{t('sceneApprovedTo')}</small>
          </div>
        </div>
      </div>
      <div className={`${styles.row} ${row('centre', 'gap12')}`} aria-hidden="true">
        <span className={styles.avatar}>
          <LogoIcon size={20} />
        </span>
        <span className={`${styles.what} ${place('grow')}`}>
          <b className={font('sm', 'semibold', 'anywhere')}>{t('sceneBasket')}</b>
          <small className={`${row('centre', 'gap4')} ${font('xs', 'quiet')}`}>
            <IconLock size={12} stroke={2} /> EcoCash
          </small>
        </span>
        <span className={font('md', 'semibold', 'numbers')}>USD25.00</span>
        <span className={`${styles.status} ${font('xs', 'semibold')}`}>
          <span className={styles.pending}>{t('scenePending')}</span>
          <span className={styles.completed}>{t('sceneCompleted')}</span>
        </span>
      </div>
    </div>
  )
}
