export { createCheckout } from './checkout.ts'
export { checkoutPages } from './routes.ts'
