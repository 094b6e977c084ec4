import { Outlet } from 'react-router'
import { SiteBar } from '../../shell/public-header.tsx'
import { Footer } from './footer.tsx'

/** What every public page stands in: the bar over its dark head, the footer under its end. A page brings its sections only. */
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
