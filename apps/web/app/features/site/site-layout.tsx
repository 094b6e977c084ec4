import { Link, Outlet } from 'react-router'
import { IconBrandFacebook, IconBrandLinkedin, IconBrandX } from '../../components/icons.ts'
import { LanguageLinks } from '../../components/language-links.tsx'
import { Logo } from '../../components/logo.tsx'
import { font, grid, iconButtonClass, row } from '../../components/ui/classes.ts'
import { type PageHandle, usePageHandle } from '../../lib/page-meta.ts'
import { english, PageLanguageContext, useCommonText, usePageLanguage } from '../../lib/page-text.ts'
import { paths } from '../../lib/paths.ts'
import { PublicHeader } from '../../shell/public-header.tsx'
import styles from './footer.module.css'
import { EnglishNote } from './page-hero.tsx'
import { siteTranslations, useSiteText } from './text.tsx'

export const handle: PageHandle = { onDemand: true, translations: siteTranslations, isConstant: true }

/** The frame of every public page: header and footer. */
export default function SiteLayout() {
  const t = useSiteText()
  const language = usePageLanguage()
  const isEnglish = usePageHandle('isEnglish') ?? false
  const isInOtherLanguage = isEnglish && language.locale !== 'en'
  if (language.isLoading) return <main />
  return (
    <>
      <a href="#content" className="skip-link">
        {t('skipToContent')}
      </a>
      <PublicHeader />
      <main id="content" tabIndex={-1} lang={isInOtherLanguage ? 'en' : undefined}>
        <PageLanguageContext value={isEnglish ? english : language}>
          <EnglishNote
            value={isInOtherLanguage ? <span lang={language.locale}>{t('inEnglish')}</span> : null}
          >
            <Outlet />
          </EnglishNote>
        </PageLanguageContext>
      </main>
      <Footer />
    </>
  )
}

const columns = [
  {
    title: 'product',
    links: [
      ['linkFeatures', '/#features'],
      ['linkDocumentation', paths.documentation],
      ['linkPricing', paths.pricing],
      ['linkApiReference', paths.apiReference],
    ],
  },
  {
    title: 'company',
    links: [
      ['linkAbout', '/about'],
      ['linkBlog', '/blog'],
      ['linkCareers', '/careers'],
      ['linkContact', paths.contact],
    ],
  },
  {
    title: 'legal',
    links: [
      ['linkPrivacy', '/privacy'],
      ['linkTerms', '/terms'],
      ['linkCookies', '/cookies'],
    ],
  },
  {
    title: 'support',
    links: [
      ['linkHelp', paths.help],
      ['linkStatus', paths.status],
      ['linkDevSupport', paths.devSupport],
    ],
  },
] as const

const social = [
  { name: 'X', href: 'https://x.com/muripo', icon: IconBrandX },
  { name: 'Facebook', href: 'https://www.facebook.com/muripo', icon: IconBrandFacebook },
  { name: 'LinkedIn', href: 'https://www.linkedin.com/company/muripo', icon: IconBrandLinkedin },
] as const

export function Footer() {
  const t = useSiteText()
  const brandHome = useCommonText()('brandHome')
  return (
    <footer data-page-footer className={`${styles.footer} ${font('md', 'quiet')}`}>
      <div className={styles.inner}>
        <div className={`${styles.top} ${grid()}`}>
          <div>
            <Link to={paths.home} className={styles.brand} aria-label={brandHome}>
              <Logo size={26} />
            </Link>
            <p>{t('footerLine')}</p>
          </div>
          <nav aria-label={t('footer')} className={`${styles.columns} ${grid()}`}>
            {columns.map(({ title, links }) => (
              <div key={title}>
                <h2 className={font('md', 'semibold', 'strong', 'anywhere')}>{t(title)}</h2>
                <ul className={`${styles.links} ${grid('list', 'above8')}`}>
                  {links.map(([label, to]) => (
                    <li key={to}>
                      <Link to={to}>{t(label)}</Link>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
        </div>
        <div
          className={`${styles.bottom} ${row('wrap', 'centre', 'between', 'gap24', 'rows12')} ${font('sm')}`}
        >
          <p>{t('rights', { year: new Date().getFullYear() })}</p>
          <LanguageLinks />
          <ul className={`${styles.social} ${row('gap4', 'list')}`}>
            {social.map(({ name, href, icon: Icon }) => (
              <li key={name}>
                <a
                  href={href}
                  className={iconButtonClass}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={t('social', { name })}
                >
                  <Icon size={20} stroke={1.75} aria-hidden />
                </a>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </footer>
  )
}
