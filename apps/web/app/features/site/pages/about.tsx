import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { pagesMeta, Sentence, usePagesText } from '../pages-text.ts'
import { Prose } from './prose.tsx'

export const meta = pagesMeta({ title: 'aboutTitle', description: 'aboutDescription' })

export default function About() {
  const t = usePagesText()
  return (
    <Prose title={t('aboutHead')} sentence={t('aboutSentence')}>
      <h2>{t('whatTitle')}</h2>
      <p>{t('whatText')}</p>
      <h2>{t('whyTitle')}</h2>
      <p>{t('whyText')}</p>
      <h2>{t('holdTitle')}</h2>
      <ul>
        <li>
          <Sentence of="everyCentText" values={{ everyCent: <b>{t('everyCent')}</b> }} />
        </li>
        <li>
          <Sentence of="noGuessText" values={{ noGuess: <b>{t('noGuess')}</b> }} />
        </li>
        <li>
          <Sentence of="cheapPhoneText" values={{ cheapPhone: <b>{t('cheapPhone')}</b> }} />
        </li>
      </ul>
      <h2>{t('makersTitle')}</h2>
      <p>
        <Sentence of="makersText" values={{ contact: <Link to={paths.contact}>{t('contactPage')}</Link> }} />
      </p>
    </Prose>
  )
}
