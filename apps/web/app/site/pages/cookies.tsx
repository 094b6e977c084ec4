import { pageMeta } from '../../lib/page-meta.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Cookies · Muripo',
  description:
    'This site sets no cookies. What it keeps in your browser when you sign in, and how to remove it.',
})

export default function Cookies() {
  return (
    <Prose
      title="Cookies"
      sentence="This site sets none. That is why nothing asks you to accept them."
      updated="2026-11-20"
    >
      <h2>What is kept in your browser instead</h2>
      <p>
        When you sign in, your browser keeps a few values in its local storage. They never leave for another
        site.
      </p>
      <ul>
        <li>
          <code>authToken</code> and <code>refreshToken</code> show the server that it is you. They are
          removed when you sign out, and when you have not touched the page for six minutes.
        </li>
        <li>
          Your email address, if you tick “Remember me”, so that you do not have to type it next time. Sign in
          once without the tick to remove it.
        </li>
        <li>A note of when you last did something, so that several open tabs agree on it.</li>
      </ul>
      <h2>How to remove them</h2>
      <p>
        Sign out, or clear the data of this site in your browser's settings. Visitors who do not sign in have
        nothing to remove.
      </p>
    </Prose>
  )
}
