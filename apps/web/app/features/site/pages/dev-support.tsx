import { Link } from 'react-router'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Developer Support · Muripo',
  description:
    'Where developers find help with the API: reading an error, the request id, idempotency, and whom to ask.',
})

export const handle: PageHandle = { isEnglish: true }

export default function DevSupport() {
  return (
    <Prose
      title="Developer Support"
      sentence="From an error on your screen to its reason, and to a person if it takes one."
    >
      <h2>Read the error</h2>
      <p>
        Every refusal is a JSON object with a <code>code</code> that does not change, a <code>detail</code> in
        words, and the fields that were wrong. Test for the code; show nobody the detail.
      </p>
      <ul>
        <li>
          <code>401</code>: the key is missing, mistyped, or was regenerated.
        </li>
        <li>
          <code>409</code>: it cannot be done in the state that the payment is in.
        </li>
        <li>
          <code>422</code>: a field does not hold. <code>errors</code> names each one.
        </li>
        <li>
          <code>429</code>: too fast. <code>Retry-After</code> says how many seconds to wait.
        </li>
      </ul>
      <h2>No answer at all?</h2>
      <p>
        Send the same call again with the same <code>Idempotency-Key</code>. It creates one payment, however
        often it is sent.
      </p>
      <h2>Look it up</h2>
      <ul>
        <li>
          The <Link to={paths.documentation}>documentation</Link>, from the first call to going live.
        </li>
        <li>
          The <Link to={paths.apiReference}>API reference</Link>, with every field of every call.
        </li>
        <li>
          The <Link to={paths.status}>status page</Link>, for whether it is us or a provider.
        </li>
      </ul>
      <h2>Ask</h2>
      <p>
        <Link to={paths.contact}>Write to us</Link> with the <code>x-request-id</code> of the answer: with it
        we find your call in the log. Never send a key. If you think that you have found a weakness in the
        security, tell us the same way before you tell anybody else.
      </p>
    </Prose>
  )
}
