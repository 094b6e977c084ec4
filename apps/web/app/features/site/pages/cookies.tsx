import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Cookies · Muripo',
  description:
    'The cookies that this site sets, the other values in your browser, their purposes, and how to remove them.',
})

export const handle: PageHandle = { isEnglish: true }

export default function Cookies() {
  return (
    <Prose
      title="Cookies"
      sentence="This site sets a cookie only when you choose a language, pay, or sign in. None of them is used for tracking."
      updated="2026-11-24"
    >
      <h2>Cookies</h2>
      <ul>
        <li>
          <code>reader_locale</code> contains the language that you chose, for a year. The page of a payment
          stores its own choice in <code>page_locale</code>.
        </li>
        <li>
          <code>payer_method</code> contains the method of your last payment, so that the next payment page
          suggests it.
        </li>
        <li>
          <code>muripo-device</code> is a random number, which a sign-in stores for 400 days. The server
          recognises a browser by it: you receive an email when another browser signs in, and failed attempts
          by others do not delay your own sign-in. No script and no other site can read it, and it does not
          sign you in.
        </li>
      </ul>
      <h2>Other values in your browser</h2>
      <p>A few values are in the local storage of your browser. No other site receives them.</p>
      <ul>
        <li>
          <code>authToken</code> and <code>refreshToken</code> identify your session. They are removed when
          you sign out, and after six minutes without activity.
        </li>
        <li>The time of your last activity, which all open tabs share.</li>
        <li>The appearance of the dashboard that you chose, and the page to open after a sign-in.</li>
      </ul>
      <h2>How to remove them</h2>
      <p>
        Sign out to remove your session. To remove everything, clear the data of this site in the settings of
        your browser.
      </p>
    </Prose>
  )
}
