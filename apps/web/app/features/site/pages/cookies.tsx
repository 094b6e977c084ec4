import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Cookies · Muripo',
  description:
    'This site sets one cookie, when you sign in. What it is for, what else your browser keeps, and how to remove it.',
})

export const handle: PageHandle = { isEnglish: true }

export default function Cookies() {
  return (
    <Prose
      title="Cookies"
      sentence="Visitors get none. Signing in sets one, which guards your account and tells nobody anything else."
      updated="2026-11-21"
    >
      <h2>The cookie of a sign-in</h2>
      <p>
        <code>muripo-device</code> is a random number that your browser gets when you sign in, and keeps for
        400 days. With it the server knows a browser that you have used before: it writes to you when another
        one signs in, and strangers who guess at your password cannot slow you down. No script can read it, no
        other site is sent it, and it does not sign you in.
      </p>
      <h2>What is kept in your browser beside it</h2>
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
        Sign out for all but the cookie, or clear the data of this site in your browser's settings. Visitors
        who do not sign in have nothing to remove.
      </p>
    </Prose>
  )
}
