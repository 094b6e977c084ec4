import { Link } from 'react-router'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Blog · Muripo',
  description:
    'News of Muripo, the payment gateway that you run yourself. First post: what is in version 0.1.',
})

export const handle: PageHandle = { isEnglish: true }

export default function Blog() {
  return (
    <Prose title="Blog" sentence="What has changed in Muripo, and why.">
      <article aria-labelledby="first-release">
        <h2 id="first-release">The first release: version 0.1</h2>
        <p>
          <time dateTime="2026-11-20">November 20, 2026</time>
        </p>
        <p>
          Muripo can take a payment, notify your server, and refund the payment. It starts with one command,
          includes its own database, and has a simulator of the wallets, so that you can try everything before
          you have an account at a provider.
        </p>
        <h3>Features</h3>
        <ul>
          <li>
            An API that creates a payment in one call, and returns the same response when the call is
            repeated.
          </li>
          <li>A payment page that works without JavaScript and is smaller than a small picture.</li>
          <li>A dashboard with figures, applications and their keys, payments, and refunds.</li>
          <li>A ledger in which every transfer has two sides.</li>
        </ul>
        <h3>Unknown outcomes</h3>
        <p>
          A provider may not answer: its server is slow, the connection fails, or a process stops between the
          request and the response. Muripo stores each charge before it sends the request. Without an answer
          it looks the charge up until the outcome is known, and never sends the same charge twice.
        </p>
        <h3>Get started</h3>
        <p>
          The <Link to={paths.documentation}>documentation</Link> leads from an empty folder to the first
          payment.
        </p>
      </article>
    </Prose>
  )
}
