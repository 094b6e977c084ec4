import { currencyNames, methodLabels } from './labels.ts'
import type { Facts } from './reference-data.server.ts'
import { Section } from './section.tsx'
import { Table } from './table.tsx'

export const PaymentMethods = ({ facts }: { readonly facts: Facts }) => (
  <Section id="payment-methods" title="Payment Methods">
    <p>
      Your customer chooses on the payment page. To suggest one, give its <code>method</code> when you create
      the payment.
    </p>
    <Table
      caption="Payment methods"
      head={['Method', 'In the API', 'Your customer']}
      rows={facts.methods.map((method) => {
        const { name, payer } = methodLabels[method]
        return [method, name, <code key="m">{method}</code>, payer]
      })}
    />
    <p>
      Every method takes US dollars and Zimbabwe Gold. The payment page offers the methods that this gateway
      has an account for in the currency of the payment; a method without one can be named, and is not
      offered.
    </p>
  </Section>
)

export const InternationalPayments = ({ facts }: { readonly facts: Facts }) => (
  <Section id="international-payments" title="International Payments">
    <p>
      Ask for the money in the currency your customer thinks in. An amount is a number in whole units of its
      currency: <code>25</code> is twenty-five dollars, <code>25.5</code> twenty-five dollars fifty. At most
      two decimals, more than 0, at most 999,999,999.99. Inside it is kept in whole cents, so nothing is ever
      lost to rounding.
    </p>
    <Table
      caption="Currencies"
      head={['Currency', 'Name']}
      rows={facts.currencies.map((currency) => [
        currency,
        <code key="c">{currency}</code>,
        currencyNames[currency],
      ])}
    />
    <p>
      A currency is one thing, a way to pay in it another: the payment page offers the methods that take the
      payment’s currency.
    </p>
  </Section>
)
