import { Section } from './section.tsx'

export const SecurityGuide = () => (
  <Section id="security-guide" title="Security Guide">
    <ul>
      <li>
        <strong>Keep the key on your server.</strong> Whoever has it creates payments in your name and reads
        them. Never put it into a web page, an app or a repository.
      </li>
      <li>
        <strong>One application, one key.</strong> Make an application for each shop or program, so that you
        can replace one key without touching the others.
      </li>
      <li>
        <strong>Replace a key that may have leaked.</strong> “Regenerate Key” on the application’s page
        refuses the old one from that moment on, everywhere. Webhook endpoints stay: the dialog lists them, so
        delete those that are not yours.
      </li>
      <li>
        <strong>Believe the payment, not the address.</strong> Anybody can open your <code>success_url</code>.
        Read the payment with your key, and compare status, amount and currency with your order.
      </li>
      <li>
        <strong>Ask again, safely.</strong> With an <code>Idempotency-Key</code> a repeated request never
        makes a second payment.
      </li>
      <li>
        <strong>Your customer’s secrets stay where they belong.</strong> The PIN is typed on the customer’s
        own phone and goes to the wallet; neither you nor the gateway sees it.
      </li>
      <li>
        <strong>Only over HTTPS.</strong> A gateway in production is reached over HTTPS, and tells browsers to
        insist on it.
      </li>
    </ul>
  </Section>
)
