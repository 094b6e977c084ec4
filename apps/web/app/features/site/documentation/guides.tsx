import { Link } from 'react-router'
import checkPayment from '../../../../../../packages/sdk/examples/check-payment.mjs?highlight'
import createPayment from '../../../../../../packages/sdk/examples/create-payment.mjs?highlight'
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
          <strong>Authenticate with the bearer key.</strong> Every call sends it in the{' '}
          <code>Authorization</code> header. Store it with the secrets of your server:
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
        Your customer pays on that page, on any phone, with or without JavaScript. Afterwards the page
        redirects to your <code>success_url</code>, and the payment is in your dashboard.
      </p>
    </Section>
  )
}

export const SecurityGuide = () => (
  <Section id="security-guide" title="Security Guide">
    <ul>
      <li>
        <strong>Keep the key on your server.</strong> Everybody with the key can create payments in your name
        and read them. Never put it into a web page, an app or a repository.
      </li>
      <li>
        <strong>One application, one key.</strong> Create an application for each shop or program, so that you
        can replace one key without changing the others.
      </li>
      <li>
        <strong>Replace a key that may have leaked.</strong> “Regenerate Key” on the application’s page
        revokes the old key at once. Webhook endpoints stay: the dialog lists them, so that you can delete
        those that are not yours.
      </li>
      <li>
        <strong>Verify the payment.</strong> Anybody can open your <code>success_url</code>. Read the payment
        with your key, and compare status, amount and currency with your order.
      </li>
      <li>
        <strong>Repeat requests safely.</strong> With an <code>Idempotency-Key</code> a repeated request never
        creates a second payment.
      </li>
      <li>
        <strong>Never ask for a PIN.</strong> The customer enters the PIN on their own phone, and only the
        wallet receives it.
      </li>
      <li>
        <strong>Only over HTTPS.</strong> A gateway in production is reached over HTTPS only, and tells
        browsers to use nothing else.
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
        Open the answer’s <code>payment_url</code> in a browser. Choose a method, enter a number and confirm.
      </li>
      <li>
        Store the response’s <code>id</code> in <code>PAYMENT_ID</code>, and read the payment:
      </li>
    </ol>
    <CodeBlock title="Read the payment" sample={getPayment} name="how-it-stands" />

    <WithTheSdk />

    <TestNumbers />
  </Section>
)

const WithTheSdk = () => {
  const { fill } = useAddress()
  return (
    <>
      <Part id="with-the-sdk" title="Take a payment with the SDK" />
      <p>
        <code>muripo</code> is a small package for Node 20 and later, typed, without dependencies, as an ES
        module and as CommonJS. This gateway serves it:
      </p>
      <CodeBlock title="Install" sample={install} name="install" fill={fill} />
      <p>
        After an update of the gateway the package may differ from the one in your lock file: install it
        again, or keep the file in your repository.
      </p>
      <p>
        The client reads the gateway’s address from <code>MURIPO_URL</code>, or takes it as its second
        argument, <code>{'{ baseUrl }'}</code>. It sends an idempotency key with each new payment, and repeats
        a request up to twice when the response is lost.
      </p>
      <CodeBlock title="create-payment.mjs" sample={createPayment} name="create-payment-sdk" fill={fill} />
      <p>
        When your customer comes back, read the payment. Every failure is thrown as an error of one class:
      </p>
      <CodeBlock title="check-payment.mjs" sample={checkPayment} name="check-payment-sdk" />
    </>
  )
}

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
      <code>mk_test_</code>. No money moves, and the payer’s page shows that it is a test. On a live gateway
      each application also has a test key. Test payments are separate from live payments, and accept test
      numbers only; unless its operator has another account for tests, a code or a card leads to a page on
      which you choose the result. These EcoCash numbers act automatically, and so do the same OneMoney
      numbers beginning with 071:
    </p>
    <Table
      caption="Test numbers"
      head={['Number', 'Behaviour']}
      rows={numbers.map(([number, does]) => [number, number, does])}
    />
    <p>
      Any other number shows a prompt on a simulated phone, at <code>/dev/phone</code> of that gateway. Enter
      one of these PINs, or decline:
    </p>
    <Table
      caption="Test PINs"
      head={['PIN', 'Behaviour']}
      rows={pins.map(([pin, does]) => [pin, <code key="p">{pin}</code>, does])}
    />
  </>
)
