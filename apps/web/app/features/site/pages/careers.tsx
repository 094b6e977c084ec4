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
      sentence="There are no paid positions today. There is work that matters, done in the open."
    >
      <h2>Take part</h2>
      <p>
        Muripo is open source. Whoever wants to work on payments that people can trust can begin now: read the
        code, run it, change it. These are good places to start:
      </p>
      <ul>
        <li>
          <b>A provider near you.</b> A wallet or a bank that people around you use, connected and tested
          against a simulator of its interface.
        </li>
        <li>
          <b>Words.</b> A sentence on a screen that a shop owner had to read twice.
        </li>
        <li>
          <b>Proof.</b> A test for a case that nobody has thought of yet.
        </li>
      </ul>
      <h2>How we work</h2>
      <p>
        Small changes with their reasons written down, tests that can fail, and a look at every screen on a
        small phone. The file <code>CONTRIBUTING.md</code> in the source tells the rest.
      </p>
      <h2>When there is a position</h2>
      <p>
        It will stand on this page. If you would like us to know of you before that,{' '}
        <Link to={paths.contact}>write to us</Link>.
      </p>
    </Prose>
  )
}
