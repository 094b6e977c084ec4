import { Link } from 'react-router'
import checkPayment from '../../../../../../packages/sdk/examples/check-payment.ts?highlight'
import createPayment from '../../../../../../packages/sdk/examples/create-payment.ts?highlight'
import quickStart from '../../../../../../packages/sdk/examples/quick-start.sh?highlight'
import { paths } from '../../../lib/paths.ts'
import { CodeBlock } from '../code/code-block.tsx'
import getPayment from './samples/get-payment.sh?highlight'
import install from './samples/install.sh?highlight'
import yourKey from './samples/your-key.sh?highlight'
import { Part, Section, useAddress } from './section.tsx'
import { Table } from './table.tsx'

export function QuickStart() {
  const { fill } = useAddress()
  return (
    <Section id="quick-start" title="Quick Start">
      <ol>
        <li>
          <strong>Get an API key from the dashboard.</strong> <Link to={paths.signUp}>Open an account</Link>,
          sign in, and under Applications choose “Create New Application”. The key is shown at once; you can
          copy it again later.
        </li>
        <li>
          <strong>Authenticate with the bearer key.</strong> Every call carries it in the{' '}
          <code>Authorization</code> header. Keep it where your server reads its secrets:
        </li>
      </ol>
      <CodeBlock title="Your gateway and your key" sample={yourKey} name="your-key" fill={fill} />
      <ol start={3}>
        <li>
          <strong>Create a payment,</strong> and send your customer to the <code>payment_url</code> of the
          answer.
        </li>
      </ol>
      <CodeBlock title="Your first payment" sample={quickStart} name="quick-start" />
      <p>
        That page takes the payment on any phone, with or without JavaScript. When it is done, your customer
        comes back to your <code>success_url</code>, and the payment stands in your dashboard.
      </p>
    </Section>
  )
}

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

export const Tutorials = () => (
  <Section id="tutorials" title="Tutorials">
    <Part id="with-curl" title="Take a payment with curl" />
    <ol>
      <li>
        Set <code>MURIPO_URL</code> and <code>MURIPO_KEY</code>, and create a payment, as in the{' '}
        <a href="#quick-start">quick start</a>.
      </li>
      <li>
        Open the answer’s <code>payment_url</code> in a browser. Choose a method, give a number and confirm.
      </li>
      <li>
        Keep the answer’s <code>id</code> in <code>PAYMENT_ID</code>, and ask how the payment stands:
      </li>
    </ol>
    <CodeBlock title="How does it stand?" sample={getPayment} name="how-it-stands" />

    <Part id="with-the-sdk" title="Take a payment with the SDK" />
    <p>
      <code>muripo</code> is a small package for Node 20 and later, typed, without dependencies. It comes with
      Muripo’s source: build it once, and install what you get.
    </p>
    <CodeBlock title="Install" sample={install} name="install" />
    <p>
      The client reads the gateway’s address from <code>MURIPO_URL</code>, or takes it as its second argument,{' '}
      <code>{'{ baseUrl }'}</code>. It gives each new payment an idempotency key, and asks again, up to twice,
      when an answer is lost.
    </p>
    <CodeBlock title="create-payment.ts" sample={createPayment} name="create-payment-sdk" />
    <p>
      When your customer comes back, read the payment. Whatever goes wrong is thrown as one kind of error:
    </p>
    <CodeBlock title="check-payment.ts" sample={checkPayment} name="check-payment-sdk" />

    <TestNumbers />
  </Section>
)

const numbers = [
  ['077 111 1111', 'Pays after 5 seconds.'],
  ['077 222 2222', 'Pays after 30 seconds.'],
  ['077 333 3333', 'Cancels after 30 seconds.'],
  ['077 444 4444', 'Has too little money, and says so at once.'],
  ['any other 077, 078 or 071', 'Asks for a PIN on its phone.'],
] as const

const pins = [
  ['0000', 'Pays.'],
  ['1234', 'Pays.'],
  ['1111', 'Has too little money.'],
  ['2222', 'Is the wrong PIN.'],
  ['9999', 'Is over the wallet’s limit.'],
] as const

/** The behaviour of the simulated wallet for each number; a test runs each of them. */
const TestNumbers = () => (
  <>
    <Part id="test-numbers" title="Test numbers and PINs" />
    <p>
      A gateway that is started for development has a simulated wallet, and its keys begin with{' '}
      <code>mk_test_</code>. No money moves, and the payer’s page says that it is a test. On a live gateway
      each application has a test key besides the live one: what the two make never meets, and a test key
      rings test numbers only. These EcoCash numbers act by themselves, and so do the same numbers with
      OneMoney when they begin with 071:
    </p>
    <Table
      caption="Test numbers"
      head={['Number', 'What it does']}
      rows={numbers.map(([number, does]) => [number, number, does])}
    />
    <p>
      Any other number asks on a simulated phone, at <code>/dev/phone</code> of that gateway. Answer it with
      one of these PINs, or decline:
    </p>
    <Table
      caption="Test PINs"
      head={['PIN', 'What it does']}
      rows={pins.map(([pin, does]) => [pin, <code key="p">{pin}</code>, does])}
    />
  </>
)
