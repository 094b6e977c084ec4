export { createCheckout } from './checkout.ts'
export { checkoutPages, mountCheckoutCalls } from './routes.ts'
