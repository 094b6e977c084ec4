import { locales } from '@muripo/contract/enums'
import { LOCALE_PARAMETER, languageNames } from '@muripo/locales/languages'
import { useLocation, useNavigate } from 'react-router'
import { useChooseLanguage, useCommonText, usePageLanguage } from '../lib/page-text.ts'
import styles from './language-links.module.css'
import { toast } from './toast.ts'
import { font, row } from './ui/classes.ts'

/** Links to the same page in another language. With script the page and its input stay; without script the server stores the choice. */
export function LanguageLinks() {
  const t = useCommonText()
  const { locale } = usePageLanguage()
  const choose = useChooseLanguage()
  const navigate = useNavigate()
  // The fragment contains the token of a link from an email.
  const { hash } = useLocation()
  return (
    <nav
      className={`${styles.languages} ${row('wrap', 'middle', 'gap20', 'rows0')} ${font('sm')}`}
      aria-label={t('language')}
    >
      {locales.map((other) => {
        if (other === locale)
          return (
            <b key={other} className={font('medium')}>
              {languageNames[other]}
            </b>
          )
        const search = `?${LOCALE_PARAMETER}=${other}`
        return (
          <a
            key={other}
            href={search + hash}
            lang={other}
            hrefLang={other}
            onClick={(event) => {
              event.preventDefault()
              void choose(other).then((isChosen) =>
                isChosen
                  ? navigate({ search, hash }, { replace: true, preventScrollReset: true })
                  : toast.error(t('networkError')),
              )
            }}
          >
            {languageNames[other]}
          </a>
        )
      })}
    </nav>
  )
}
