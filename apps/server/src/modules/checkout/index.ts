export { createCheckout } from './checkout.ts'
