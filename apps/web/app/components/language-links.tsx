import { locales } from '@muripo/contract/enums'
import { LOCALE_PARAMETER, languageNames } from '@muripo/locales/languages'
import { useLocation } from 'react-router'
import { useCommonText } from '../lib/common-text.ts'
import { usePageLanguage } from '../lib/page-text.ts'
import styles from './language-links.module.css'

/** Links that load the same page in another language. The server keeps the choice in a cookie. */
export function LanguageLinks() {
  const t = useCommonText()
  const { locale } = usePageLanguage()
  // The token of a mailed link is in the fragment.
  const { hash } = useLocation()
  return (
    <nav className={styles.languages} aria-label={t('language')}>
      {locales.map((other) =>
        other === locale ? (
          <b key={other}>{languageNames[other]}</b>
        ) : (
          <a key={other} href={`?${LOCALE_PARAMETER}=${other}${hash}`} lang={other} hrefLang={other}>
            {languageNames[other]}
          </a>
        ),
      )}
    </nav>
  )
}
