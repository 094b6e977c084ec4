import { Link } from 'react-router'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Developer Support · Muripo',
  description: 'Help with the API for developers: errors, request ids, idempotency, and how to contact us.',
})

export const handle: PageHandle = { isEnglish: true }

export default function DevSupport() {
  return (
    <Prose title="Developer Support" sentence="How to find the reason of an error, and how to reach us.">
      <h2>Read the error</h2>
      <p>
        Every error is a JSON document with a stable <code>code</code>, a <code>message</code>, and the errors
        of single fields. Branch on the code, and not on the message.
      </p>
      <ul>
        <li>
          <code>401</code>: the key is missing, misspelt, or was regenerated.
        </li>
        <li>
          <code>409</code>: the status of the payment does not allow the request.
        </li>
        <li>
          <code>422</code>: a field is invalid. <code>errors</code> lists the invalid fields.
        </li>
        <li>
          <code>429</code>: too many requests. Wait for the seconds in <code>Retry-After</code>.
        </li>
      </ul>
      <h2>A request without a response</h2>
      <p>
        Send the same request again with the same <code>Idempotency-Key</code>. All repetitions create one
        payment.
      </p>
      <h2>Documentation</h2>
      <ul>
        <li>
          The <Link to={paths.documentation}>documentation</Link>, from the first call to going live.
        </li>
        <li>
          The <Link to={paths.apiReference}>API reference</Link>, with every field of every call.
        </li>
        <li>
          The <Link to={paths.status}>status page</Link>, with the status of the gateway and of the providers.
        </li>
      </ul>
      <h2>Contact us</h2>
      <p>
        <Link to={paths.contact}>Write to us</Link> and name the <code>x-request-id</code> of the response,
        which identifies your request in the log. Never send a key. Report a security vulnerability on the
        same page, before you publish it.
      </p>
    </Prose>
  )
}
