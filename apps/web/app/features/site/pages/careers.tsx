import { Link } from 'react-router'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Careers · Muripo',
  description:
    'There are no paid positions at Muripo today. How to take part in an open-source payment gateway.',
})

export const handle: PageHandle = { isEnglish: true }

export default function Careers() {
  return (
    <Prose
      title="Careers"
      sentence="There are no paid positions today. Muripo is an open-source project, and everybody can contribute."
    >
      <h2>Take part</h2>
      <p>
        Muripo is open source. Everybody who wants to work on reliable payments can begin now: read the code,
        run it, and change it. Good first contributions are:
      </p>
      <ul>
        <li>
          <b>A provider in your country.</b> Connect a wallet or a bank, and test it against a simulator of
          its interface.
        </li>
        <li>
          <b>A clearer text.</b> Improve a sentence of the interface that a shop owner had to read twice.
        </li>
        <li>
          <b>A test.</b> Add a test for a case that has none yet.
        </li>
      </ul>
      <h2>How we work</h2>
      <p>
        We make small changes with their reasons in the commit, write tests that can fail, and review every
        screen on a small phone. <code>CONTRIBUTING.md</code> in the source describes the rest.
      </p>
      <h2>Open positions</h2>
      <p>
        This page will list open positions. If you would like us to contact you before that,{' '}
        <Link to={paths.contact}>write to us</Link>.
      </p>
    </Prose>
  )
}
