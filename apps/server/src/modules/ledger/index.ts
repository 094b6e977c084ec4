export { clearing } from './accounts.ts'
export { post } from './actions/post.ts'
export { balancesOf } from './store.ts'
