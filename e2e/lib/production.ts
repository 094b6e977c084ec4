import { randomBytes } from 'node:crypto'
import { codesIn } from '@muripo/rig/mailbox'
import { until } from '@muripo/rig/until'
import { openTestMailServer } from './mail-server.ts'

export interface Production {
  /** Environment of a gateway for real money, with strict limits. No wallet answers at the address of EcoCash. */
  readonly environment: Readonly<Record<string, string>>
  /** The newest code that was mailed to an address. */
  codeFor(email: string): Promise<string>
  close(): Promise<void>
}

export async function openProduction(dataDir: string): Promise<Production> {
  const mailServer = await openTestMailServer(dataDir)
  return {
    environment: {
      NODE_ENV: 'production',
      RATE_LIMITS: '1',
      DRAIN_SECONDS: '0',
      PUBLIC_URL: 'https://pay.example',
      MURIPO_MASTER_KEY: randomBytes(32).toString('base64'),
      ECOCASH_URL: 'https://wallet.example',
      ECOCASH_USERNAME: 'nobody',
      ECOCASH_PASSWORD: 'nothing',
      ECOCASH_MERCHANT_CODE: '1',
      ECOCASH_MERCHANT_PIN: '1',
      ECOCASH_MERCHANT_NUMBER: '771000000',
      ...mailServer.environment,
    },
    codeFor: (email) =>
      until(`A code for ${email}`, async () =>
        codesIn(mailServer.mails.filter(({ to }) => to.includes(email))).at(-1),
      ),
    close: () => mailServer.close(),
  }
}
