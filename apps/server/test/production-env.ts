/** The settings that production requires. */
export const productionEnv = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://pay.example',
  SMTP_URL: 'smtps://mail.example',
  MURIPO_MASTER_KEY: Buffer.from('thirty-two bytes are a key, said').toString('base64'),
  ECOCASH_URL: 'https://wallet.example',
  ECOCASH_USERNAME: 'u',
  ECOCASH_PASSWORD: 'p',
  ECOCASH_MERCHANT_CODE: '1',
  ECOCASH_MERCHANT_PIN: '1',
  ECOCASH_MERCHANT_NUMBER: '771000000',
}
