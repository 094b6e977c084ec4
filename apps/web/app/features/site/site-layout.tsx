import { Link, Outlet } from 'react-router'
import { IconBrandFacebook, IconBrandLinkedin, IconBrandX } from '../../components/icons.ts'
import { Logo } from '../../components/logo.tsx'
import type { PageHandle } from '../../lib/page-meta.ts'
import { paths } from '../../lib/paths.ts'
import { SiteBar } from '../../shell/public-header.tsx'
import styles from './footer.module.css'

export const handle: PageHandle = { onDemand: true }

/** The frame of every public page: the bar over its dark head, and the footer. A page contains its sections only. */
export default function SiteLayout() {
  return (
    <>
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <SiteBar />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </>
  )
}

const columns = [
  {
    title: 'Product',
    links: [
      ['Features', '/#features'],
      ['Documentation', paths.documentation],
      ['Pricing', paths.pricing],
      ['API Reference', paths.apiReference],
    ],
  },
  {
    title: 'Company',
    links: [
      ['About', '/about'],
      ['Blog', '/blog'],
      ['Careers', '/careers'],
      ['Contact', paths.contact],
    ],
  },
  {
    title: 'Legal',
    links: [
      ['Privacy', '/privacy'],
      ['Terms', '/terms'],
      ['Cookies', '/cookies'],
    ],
  },
  {
    title: 'Support',
    links: [
      ['Help', paths.help],
      ['Status', paths.status],
      ['Developer Support', paths.devSupport],
    ],
  },
] as const

const social = [
  { name: 'X', href: 'https://x.com/muripo', icon: IconBrandX },
  { name: 'Facebook', href: 'https://www.facebook.com/muripo', icon: IconBrandFacebook },
  { name: 'LinkedIn', href: 'https://www.linkedin.com/company/muripo', icon: IconBrandLinkedin },
] as const

export function Footer() {
  return (
    <footer data-page-footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.top}>
          <div>
            <Link to={paths.home} className={styles.brand} aria-label="Muripo home">
              <Logo size={26} />
            </Link>
            <p className={styles.line}>Payments that you run yourself.</p>
          </div>
          <nav aria-label="Footer" className={styles.columns}>
            {columns.map(({ title, links }) => (
              <div key={title}>
                <h2 className={styles.title}>{title}</h2>
                <ul className={styles.links}>
                  {links.map(([label, to]) => (
                    <li key={to}>
                      <Link to={to}>{label}</Link>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
        </div>
        <div className={styles.bottom}>
          <p>© {new Date().getFullYear()} Muripo. All rights reserved</p>
          <ul className={styles.social}>
            {social.map(({ name, href, icon: Icon }) => (
              <li key={name}>
                <a
                  href={href}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={`Muripo on ${name} (opens in a new tab)`}
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
