export { createCheckout } from './checkout.ts'
export { checkoutTasks } from './jobs.ts'
export { checkoutPages, mountCheckoutCalls, type PageActions } from './routes.ts'
