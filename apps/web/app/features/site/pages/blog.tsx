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
          Muripo can take a payment, notify your server, and refund it. It starts with one command, brings its
          own database, and comes with a simulator that plays the wallet's part, so that you can try all of it
          before you talk to a provider.
        </p>
        <h3>What is in it</h3>
        <ul>
          <li>
            An API that creates a payment in one call, and gives the same answer when the call is repeated.
          </li>
          <li>A page to pay on. It works without JavaScript and weighs less than a small picture.</li>
          <li>A dashboard with figures, applications and their keys, payments, and refunds.</li>
          <li>A ledger in which every transfer has two sides.</li>
        </ul>
        <h3>What we took most care of</h3>
        <p>
          The moment when nobody knows. A wallet's server is slow, a line is cut, a process is stopped between
          the question and the answer. Muripo writes down what it is about to do before it does it. Afterwards
          it asks what became of it, as often as it takes. It does not send the same charge twice.
        </p>
        <h3>Where to begin</h3>
        <p>
          The <Link to={paths.documentation}>documentation</Link> leads from an empty folder to the first
          payment.
        </p>
      </article>
    </Prose>
  )
}
