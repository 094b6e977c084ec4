import { Outlet } from 'react-router'
import { SiteBar } from '../../shell/public-header.tsx'
import { Footer } from './footer.tsx'

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
