import { Part } from './section.tsx'
import { Table } from './table.tsx'

const numbers = [
  ['077 111 1111', 'Pays after 5 seconds.'],
  ['077 222 2222', 'Pays after 30 seconds.'],
  ['077 333 3333', 'Cancels after 30 seconds.'],
  ['077 444 4444', 'Has too little money, and says so at once.'],
  ['any other 077 or 078', 'Asks for a PIN on its phone.'],
] as const

const pins = [
  ['0000', 'Pays.'],
  ['1234', 'Pays.'],
  ['1111', 'Has too little money.'],
  ['2222', 'Is the wrong PIN.'],
  ['9999', 'Is over the wallet’s limit.'],
] as const

/** The behaviour of the simulated wallet for each number; a test runs each of them. */
export const TestNumbers = () => (
  <>
    <Part id="test-numbers" title="Test numbers and PINs" />
    <p>
      A gateway that is started for development has a simulated wallet, and its keys begin with{' '}
      <code>mk_test_</code>. No money moves, and the payer’s page says that it is a test. On a live gateway
      each application has a test key besides the live one: what the two make never meets, and a test key
      rings test numbers only. These EcoCash numbers act by themselves:
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
