export { createCheckout } from './checkout.ts'
export { checkoutPages, mountCheckoutCalls, type PageActions } from './routes.ts'
